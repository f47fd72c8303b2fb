import CellTemplates

/// Reads the parts of kinds into levels.
extension DataShape {
  /// The context in which names inside a part are looked up.
  private struct Scope {
    var level: Int
    /// The level in which the part's own name is looked up.
    let outerLevel: Int
    /// Whether the part is inside a block or an override.
    let isUncertain: Bool
    /// Whether it is reached wherever its level is an object: inside nothing but outlets.
    let isReached: Bool
    /// For a section or outlet, the first part of its name.
    let name: [UInt8]
    let isOutlet: Bool
    /// The part that contains it.
    let parent: UInt32
    /// What the parts in it look up here, and around.
    var lookups: Lookups = []
  }

  /// A part whose name starts with the name of a surrounding section.
  private struct HomePart {
    let part: PartEntry
    /// The first part of its name.
    let first: [UInt8]
    /// The level of the section's own name.
    let home: Int
    /// The level of the section's value, where rendering looks first.
    let nearest: Int
    let formats: Formats
  }

  /// How far outward a name is followed; templates are not nested deeper.
  private static let scopeLimit = 256

  /// The surrounding section with whose name a name starts: in `{{#author.name}}{{author.url}}{{/author.name}}` and
  /// `{{#title}}{{title}}{{/title}}`, the inner name refers to the same value as the section, unless that value has a key of
  /// this name. So does an outlet there. A section inside a section of the same name is different, as is an outlet inside an
  /// outlet.
  private func homeScope(of part: PartEntry, _ first: [UInt8], _ scopes: [Scope]) -> Scope? {
    let isOutlet = part.knownRole.isOutlet
    if !isOutlet, !part.knownRole.isMustacheName { return nil }
    if part.knownRole == .section, first.count == part.name.count { return nil }
    var parent = part.parent
    for _ in 0..<Self.scopeLimit where parent != noIndex {
      let scope = scopes[Int(parent)]
      if isOutlet, scope.isOutlet { return nil }
      if scope.name == first, !first.isEmpty { return scope }
      parent = scope.parent
    }
    return nil
  }

  /// Reads the parts of a kind.
  mutating func read(_ kind: UInt32) {
    let root = addLevel(Array(archive.name(ofKind: kind)), kind)
    roots[kind] = root
    levels[root].isPrinted = rowReaders.ofWholeRow.contains(kind)
    readingRow = root
    reading = Facts()
    let parts = archive.parts(of: archive.entry(ofKind: kind))
    files = [:]
    for part in parts where isOfFile(part) && budget?.spend() != false {
      files[Self.position(of: part), default: 0] += 1
    }
    let currencies = currencies(among: parts)
    var callees: Set<UInt32> = []
    var scopes: [Scope] = []
    scopes.reserveCapacity(parts.count)
    var homeParts: [HomePart] = []
    // The levels in which other names are looked up.
    var heldLevels: Set<Int> = []
    var nested: [(segments: ArraySlice<[UInt8]>, use: Uses, part: PartEntry, formats: Formats)] = []
    for (position, part) in parts.enumerated() where budget?.spend(10) != false {
      nameBytes += Int(part.name.count)
      if nameBytes > Self.nameLimitBytes {
        reading.isComplete = false
        break
      }
      let role = part.knownRole
      let next = position + 1 < parts.count ? parts[position + 1] : nil
      shown = formats(of: part, currency: currencies[position]?.use)
      judge = currencies[position].flatMap(neededWithItsValue)
      var outer = Scope(
        level: root, outerLevel: root, isUncertain: false, isReached: true, name: [], isOutlet: false,
        parent: noIndex)
      if part.parent != noIndex { outer = scopes[Int(part.parent)] }
      var (level, isUncertain) = (outer.level, outer.isUncertain)
      let first = Self.firstSegment(of: archive.bytes(part.name))
      var lookups: Lookups = role.isMustacheName && first == Self.ownerName ? .owner : []
      // The blocks of a parent are in what is around its tag.
      if role == .block || role == .parent { lookups.insert(.overrides) }
      if let section = homeScope(of: part, first, scopes) {
        homeParts.append(
          HomePart(
            part: part, first: first, home: section.outerLevel, nearest: section.level, formats: shown))
        outer.level = section.outerLevel
      } else if role.isMustacheName || role.isOutlet {
        if !first.isEmpty { heldLevels.insert(level) }
        if role.isMustacheName, part.parent != noIndex, first.count < part.name.count {
          nested.append((Self.segments(of: archive.bytes(part.name)), role.use, part, shown))
        }
      }
      switch role {
      case .action: break
      case .bind, .bound:
        _ = look(up: part, .ownKey, in: outer)
        // Beside an outlet whose value is no object, it is looked up around.
        if part.parent != noIndex, scopes[Int(part.parent)].isOutlet {
          let around = scopes[Int(part.parent)].outerLevel
          _ = look(
            up: part, [.ownKey, .uncertain],
            in: Scope(
              level: around, outerLevel: around, isUncertain: true, isReached: false, name: [],
              isOutlet: false, parent: noIndex))
        }
      case .partial, .parent:
        if let callee = archive.kindNumber(archive.bytes(part.name)) {
          let isAlways = role == .partial && part.parent == noIndex
          if !outer.isReached || isUncertain || role == .parent { reading.looseCalls.insert(callee) }
          let isIncluded = part.parent != noIndex && archive.isInclude(parts[Int(part.parent)])
          if part.parent != noIndex, !isIncluded { reading.surroundedCalls.insert(callee) }
          if rowReaders.ofOwner.contains(callee) {
            // An included cell sees nothing around its row.
            if isIncluded { levels[level].lookups.insert(.owner) } else { lookups.insert(.owner) }
          }
          let call = Call(kind: callee, isCertain: !isUncertain, isAlways: isAlways)
          if levels[level].calls.count == limits.kinds {
            reading.isComplete = false
          } else {
            levels[level].add(call)
          }
          if callees.insert(callee).inserted { reading.calls.append(callee) }
        }
        isUncertain = true
      case .block: isUncertain = true
      case .condition, .plural: _ = look(up: part, .condition, in: outer)
      case .variable, .dynamic, .inverted:
        if role == .dynamic { reading.callsAnything = true }
        if Escaper(rawValue: part.escaper) == .discard { break }
        // A boolean attribute asks about it.
        if role == .variable, part.element.count > 0 {
          _ = look(up: part, .condition, in: outer)
          break
        }
        let isEscapedText = role == .variable && part.escaper == Escaper.text.rawValue
        let printed: Uses = isEscapedText ? [.value, .escapedText] : .value
        _ = look(up: part, role == .inverted ? .inverted : printed, in: outer)
        if role == .dynamic { isUncertain = true }
      case .section:
        level = look(up: part, .section, in: outer) ?? level
      case .outlet, .taggedOutlet:
        let row = outer.isReached && !isUncertain ? included(by: part, before: next, position) : []
        level = look(up: part, row.union(.outlet), in: outer) ?? level
        let entry = archive.tables.$outlets[Int(part.entry)]
        if entry.form == OutletEntry.Form.data.rawValue { levels[level].isPrinted = true }
        if entry.textName != noIndex {
          let isRequired = outer.isReached && level != owner && isTextRequired(part)
          add([Array("text".utf8)], isRequired ? [.ownKey, .required] : .ownKey, part, to: level)
          if isRequired { reading.hasRequired = true }
        }
      }
      let isContext = role == .section || role.isOutlet
      scopes.append(
        Scope(
          level: level, outerLevel: outer.level, isUncertain: isUncertain,
          isReached: outer.isReached && role.isOutlet, name: isContext ? first : [],
          isOutlet: role.isOutlet, parent: part.parent))
      if part.parent == noIndex {
        levels[root].lookups.formUnion(lookups)
      } else {
        scopes[Int(part.parent)].lookups.formUnion(lookups)
      }
    }
    noteLookups(in: &scopes, root)
    for name in nested {
      shown = name.formats
      addOutside(name.segments, name.use, name.part, scopes, root)
    }
    for part in homeParts { addNearest(part, isHeld: heldLevels.contains(part.nearest)) }
    facts[kind] = reading
  }

  /// Notes that rendering finds a name inside the value of the section that it is named after, if that value has such a key. If
  /// the template uses the value as an object, the name is one of the object's.
  private mutating func addNearest(_ name: HomePart, isHeld: Bool) {
    guard let position = levels[name.home].positions[name.first] else { return }
    levels[name.nearest].add(Level.Home(name: name.first, level: name.home, member: position))
    if !isHeld { return }
    shown = name.formats
    let role = name.part.knownRole
    let level = add(
      Self.segments(of: archive.bytes(name.part.name)), role.use.union(.uncertain), name.part,
      to: name.nearest)
    if role.isOutlet, let level, archive.tables.$outlets[Int(name.part.entry)].textName != noIndex {
      add([Array("text".utf8)], [.ownKey, .uncertain], name.part, to: level)
    }
  }

  /// Notes what is looked up in the levels of scopes, and of those around them.
  private mutating func noteLookups(in scopes: inout [Scope], _ root: Int) {
    // Scopes come after those around them.
    for number in scopes.indices.reversed() where !scopes[number].lookups.isEmpty {
      let scope = scopes[number]
      for level in [scope.level, scope.outerLevel, root] { levels[level].lookups.formUnion(scope.lookups) }
      if scope.parent != noIndex { scopes[Int(scope.parent)].lookups.formUnion(scope.lookups) }
    }
  }

  /// Adds a dotted name also to a surrounding level that knows its first part, because rendering finds it
  /// there if not nearer.
  private mutating func addOutside(
    _ segments: ArraySlice<[UInt8]>, _ use: Uses, _ part: PartEntry, _ scopes: [Scope], _ root: Int
  ) {
    guard let first = segments.first else { return }
    let own = scopes[Int(part.parent)].level
    var parent = part.parent
    for _ in 0..<Self.scopeLimit where parent != noIndex {
      let scope = scopes[Int(parent)]
      if scope.outerLevel != own, levels[scope.outerLevel].positions[first] != nil {
        // It is one place in the template: a nearer value is enough.
        add(segments, use.union(.uncertain), part, to: scope.outerLevel)
        return
      }
      parent = scope.parent
    }
  }

  /// What the value of an outlet must be as the row of a cell that is included with it.
  /// - Parameters:
  ///   - next: the next part, which calls the cell.
  ///   - position: the number of the outlet's part.
  private func included(by part: PartEntry, before next: PartEntry?, _ position: Int) -> Uses {
    guard archive.isInclude(part), let next,
      next.knownRole == .partial, next.parent == UInt32(position),
      let callee = archive.kindNumber(archive.bytes(next.name))
    else { return [] }
    let uses = archive.rowUses(of: callee)
    return (uses.takeScalar ? [] : Uses.objectRow).union(uses.refuseItem ? .noItem : [])
  }

  private static func segments(of name: UnsafeRawBufferPointer) -> ArraySlice<[UInt8]> {
    name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }[...]
  }

  /// The first part of a dotted name; empty for `.`.
  static func firstSegment(of name: UnsafeRawBufferPointer) -> [UInt8] {
    Array(name.prefix { $0 != UInt8(ascii: ".") })
  }

  /// Adds a name. Returns the level of its value, nil for names provided by loops.
  private mutating func look(
    up part: PartEntry, _ use: Uses, in outer: Scope
  ) -> Int? {
    let name = Array(archive.bytes(part.name))
    if name == [UInt8(ascii: ".")] {
      if !use.isDisjoint(with: [.value, .ownKey]) { levels[outer.level].isPrinted = true }
      if !shown.isEmpty { levels[outer.level].formats.add(shown) }
      if use.isDisjoint(with: [.section, .outlet]) { return nil }
      let level = addLevel(levels[outer.level].name, levels[outer.level].kind)
      levels[outer.level].selves.append(level)
      levels[level].isSelf = true
      return level
    }
    var segments = Self.segments(of: archive.bytes(part.name))
    var use = use
    var level = outer.level
    if segments[segments.startIndex] == Array("@row".utf8) {
      level = readingRow
      segments.removeFirst()
      if segments.isEmpty { return nil }
      if part.parent == noIndex {
        if isJudged(judge ?? part) { use.insert(.always) }
        if isRequired(part) {
          use.insert(.requiredOutward)
          reading.hasRequired = true
        }
      }
      return add(segments, use.union(outer.isUncertain ? .uncertain : []), part, to: level)
    }
    if AtNames.contains(segments[segments.startIndex]) { return nil }
    if segments[segments.startIndex] == Self.ownerName {
      if segments.count == 1 {
        if !use.isDisjoint(with: [.value, .ownKey]) { levels[owner].isPrinted = true }
        return owner
      }
      segments.removeFirst()
      level = owner
    } else if part.parent == noIndex, isJudged(judge ?? part) {
      use.insert(.always)
    }
    if level != owner, outer.isReached, isRequired(part) {
      // What is looked up outward is required of rows alone: around other objects there is one that may have it.
      if !part.knownRole.isMustacheName {
        use.insert(.required)
      } else if part.parent == noIndex {
        use.insert(.requiredOutward)
      }
      reading.hasRequired = true
    }
    return add(segments, use.union(outer.isUncertain ? .uncertain : []), part, to: level)
  }

  /// Adds a dotted name to a level. Returns the level of its value if names are looked up in that value.
  @discardableResult
  private mutating func add(
    _ segments: ArraySlice<[UInt8]>, _ use: Uses, _ part: PartEntry, to level: Int
  ) -> Int? {
    var (level, use) = (level, use)
    guard let last = segments.last else { return nil }
    for segment in segments.dropLast() {
      let uses = use.intersection([.always, .required, .requiredOutward, .uncertain]).union(.path)
      guard let position = add(segment, uses, part, to: level) else { return nil }
      level = self.level(of: position, in: level)
      // Only the first name is looked up outward.
      if use.remove(.requiredOutward) != nil { use.insert(.required) }
    }
    guard let position = add(last, use, part, to: level) else { return nil }
    if !shown.isEmpty { levels[level].members[position].formats.add(shown) }
    if use.contains(.value), shown.isEmpty { levels[level].members[position].isPrintedAsIs = true }
    if use.isDisjoint(with: [.section, .outlet]) { return nil }
    return self.level(of: position, in: level)
  }

  private mutating func add(_ name: [UInt8], _ uses: Uses, _ part: PartEntry, to level: Int) -> Int? {
    if let known = levels[level].positions[name] {
      if uses.contains(.escapedText), !levels[level].members[known].uses.contains(.escapedText) {
        levels[level].members[known].line = Int(part.line)
        levels[level].members[known].column = Int(part.column)
      }
      levels[level].members[known].uses.formUnion(uses)
      return known
    }
    if memberCount == limits.members {
      reading.isComplete = false
      return nil
    }
    memberCount += 1
    let position = levels[level].members.count
    levels[level].positions[name] = position
    levels[level].members.append(
      Member(name: name, uses: uses, line: Int(part.line), column: Int(part.column)))
    return position
  }

  private mutating func level(of position: Int, in level: Int) -> Int {
    let member = levels[level].members[position]
    if let known = member.level { return known }
    let new = addLevel(member.name, levels[level].kind)
    levels[level].members[position].level = new
    return new
  }

  private mutating func addLevel(_ name: [UInt8], _ kind: UInt32) -> Int {
    levels.append(Level(name: name, kind: kind))
    return levels.count - 1
  }
}

extension PartEntry.Role {
  var isOutlet: Bool { self == .outlet || self == .taggedOutlet }

  /// Whether its name is looked up from the inside out.
  var isMustacheName: Bool {
    switch self {
    case .variable, .section, .inverted, .dynamic, .plural: true
    case .outlet, .taggedOutlet, .bind, .bound, .action, .partial, .parent, .block, .condition: false
    }
  }

  fileprivate var use: DataShape.Uses {
    switch self {
    case .section: .section
    case .inverted: .inverted
    case .outlet, .taggedOutlet: .outlet
    case .bind, .bound: .ownKey
    case .condition, .plural: .condition
    case .variable, .dynamic, .action, .partial, .parent, .block: .value
    }
  }
}
