import CellTemplates

/// How a name finds its value. This file has the rules, except which of repeated keys counts; whoever looks up names conforms.
///
/// - *Context*: the first name of a path is looked up in the contexts from the innermost outward, then in the
///   row. `owner` may also be the request's owner. An outlet's first name is looked up in the innermost
///   object only, or is the owner.
/// - *Path*: each further name is looked up only in the value of the one before.
/// - *Index*: in a list, a name is the index of an item: see `NameEntry.listIndex`.
/// - *Repeated keys*: of members with the same name, one counts: `repeated_keys.h` in `CNodes` says which. The parser marks
///   the others as superseded, and look-ups skip those.
/// - *Names with `@`*: `@index` and the like belong to the innermost loop, which may be that of the rows: `MemberLookup+AtNames`.
///
/// `Renderer` looks up the names of steps, `OutletValues` those of a kind's parts. Samples are compared with
/// names as bytes: `MembersByName` has the rules of paths for these.
///
/// A look-up may walk over millions of members or elements. If the time ends meanwhile, it throws `.paused`, and `lookups`
/// knows where it continues when the same look-up is done again.
///
/// The functions are mutating and take the contexts as `inout`, although they change only hints and counts.
/// This passes both by address instead of copying them for each call.
protocol MemberLookup: ~Copyable {
  var tape: JSONTape { get }
  var context: RowContext { get }
  /// The archive's tables of names and of the further names of paths.
  var names: UnsafePointer<NameEntry> { get }
  var segments: UnsafePointer<UInt32> { get }
  var lookups: LookupMemo { get }
  var conditions: Conditions { get }
  /// What `@locale` and `@dir` are.
  var localeTexts: (tag: String, direction: String) { get }
  /// Iterations of loops and calls in the request so far.
  var iterations: Int { get set }

  /// The value of the row's own member; nil if there is none or the row is not an object.
  /// - Throws: `.paused`.
  mutating func rowMember(_ name: UInt32) throws(RenderFault) -> JSONTape.Index?
  /// The value of an object's member.
  /// - Parameter slot: a slot for a hint.
  /// - Throws: `.paused`.
  mutating func member(
    _ name: UInt32, slot: UInt32, of object: JSONTape.Index
  ) throws(RenderFault) -> JSONTape.Index?
  /// Whether a look-up of much work must pause.
  mutating func isTimeOver() -> Bool
  /// Called after a look-up of much work, which may have counted many iterations.
  mutating func lookSoon()
  /// Called if the result depends on more than the row's shape: the row's index, the owner.
  mutating func noteForeign()
  /// Whether the name `owner` was last found in the request's owner, rather than in a context.
  var isInOwner: Bool { get set }
  /// Called if the result depends on a text of the row: on the outcome of a condition that compared it.
  /// - Parameter other: the text it was compared with, if that was found, too.
  mutating func noteComparison(
    _ condition: UInt32, _ value: JSONTape.Index, _ other: JSONTape.Index?, holds: Bool)
  /// Called before a text longer than plans compare is compared.
  mutating func noteLongText()
  func path(_ number: UInt32) -> UnsafePointer<PathEntry>
}

extension MemberLookup where Self: ~Copyable {
  // MARK: Contexts

  /// The value of a `value`, `section` or `inverted` path.
  @inline(never)
  mutating func findPath(
    _ path: UnsafePointer<PathEntry>, slot: UInt32, in contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    guard case .name = path.pointee.verifiedRoot else { return try findAtName(path, in: &contexts) }
    let name = path.pointee.name
    var depth = contexts.scopeCount &- 1
    if let paused = lookups.paused {
      lookups.paused = nil
      if paused.segment != noIndex {
        isInOwner = paused.isInOwner
        return try findRest(path, from: paused.segment, in: paused.value)
      }
      depth = paused.depth
    }
    var iterationsAtLook = iterations
    do throws(RenderFault) {
      while depth >= 0 {
        let scope = contexts.scope(depth)
        let found =
          tape.kind(scope) == .object
          ? try member(name, slot: slot, of: scope) : try element(name, of: scope)
        if let found {
          isInOwner = false
          return try findRest(path, in: found)
        }
        depth &-= 1
        // Not at 0: names that ordinary cells look up outside cost nothing.
        if depth & 15 == 8 { try noteContexts(&iterationsAtLook) }
      }
      guard let value = try rowMember(name) else { return try findOutside(path) }
      isInOwner = false
      if path.pointee.segmentCount == 1, tape.kind(value) == .object {
        let rest = segments[Int(path.pointee.segmentStart)]
        return try member(rest, slot: slot, of: value).map(RenderValue.init(node:)) ?? .missing
      }
      return try findRest(path, in: value)
    } catch {
      // Unless it has paused further on.
      if lookups.paused == nil { lookups.paused = LookupMemo.PausedLookup(depth: depth) }
      throw error
    }
  }

  /// Counts 16 contexts that a name was not in as an iteration: there are thousands if a cell calls itself in sections.
  @inline(never)
  private mutating func noteContexts(_ iterationsAtLook: inout Int) throws(RenderFault) {
    iterations &+= 1
    lookSoon()
    // Large objects among them may have been indexed anew.
    if iterations &- iterationsAtLook < LookupMemo.iterationsPerLook { return }
    iterationsAtLook = iterations
    try pauseIfOver()
  }

  /// The row, or a value in it.
  mutating func findRow(_ path: UnsafePointer<PathEntry>) throws(RenderFault) -> RenderValue {
    guard let paused = lookups.paused else { return try findRest(path, in: context.row) }
    lookups.paused = nil
    return try findRest(path, from: paused.segment, in: paused.value)
  }

  /// Resolves a name that no object contains: an index if the row is a list, or the request's owner.
  private mutating func findOutside(_ path: UnsafePointer<PathEntry>) throws(RenderFault) -> RenderValue {
    let name = path.pointee.name
    if tape.kind(context.row) == .array, let element = try element(name, of: context.row) {
      return try findRest(path, in: element)
    }
    if name == RequestName.owner {
      noteForeign()
      isInOwner = true
      if let owner = context.owner { return try findRest(path, in: owner) }
    }
    return .missing
  }

  /// The value of an outlet's path.
  @inline(never)
  mutating func findOutletPath(
    _ path: UnsafePointer<PathEntry>, slot: UInt32, in contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    guard case .name = path.pointee.verifiedRoot else { return try findAtName(path, in: &contexts) }
    if let paused = lookups.paused {
      lookups.paused = nil
      return try findRest(path, from: paused.segment, in: paused.value)
    }
    let name = path.pointee.name
    let first: JSONTape.Index?
    if name == RequestName.owner {
      noteForeign()
      first = context.owner
    } else if contexts.hidesNames {
      first = nil
    } else if contexts.scopeCount == 0 {
      first = try rowMember(name)
    } else if let object = innermostObject(&contexts) {
      first = try member(name, slot: slot, of: object)
    } else {
      first = nil
    }
    guard let first else { return .missing }
    return try findRest(path, in: first)
  }

  /// The innermost object, the only one in which an outlet's names are looked up.
  mutating func innermostObject(_ contexts: inout ContextStack) -> JSONTape.Index? {
    let innermost = contexts.scopeCount &- 1
    var depth = innermost
    while depth >= 0, tape.kind(contexts.scope(depth)) != .object { depth &-= 1 }
    // Lists, of which there are thousands if a cell includes itself in sections.
    if innermost &- depth >= 16 {
      note(steps: innermost &- depth)
      lookSoon()
    }
    if depth >= 0 { return contexts.scope(depth) }
    return tape.kind(context.row) == .object ? context.row : nil
  }

  // MARK: Paths

  /// So many names of a path count as an iteration. Each may be looked up among as many members as a small object has.
  private static var partsPerIteration: Int { 16 }

  /// The value of the rest of a path after its first name.
  private mutating func findRest(
    _ path: UnsafePointer<PathEntry>, in first: JSONTape.Index
  ) throws(RenderFault) -> RenderValue {
    let count = Int(path.pointee.segmentCount)
    if count >= Self.partsPerIteration {
      note(steps: count)
      lookSoon()
    }
    return try findRest(path, from: path.pointee.segmentStart, in: first)
  }

  /// The value of a path from one of its further names on.
  private mutating func findRest(
    _ path: UnsafePointer<PathEntry>, from segment: UInt32, in value: JSONTape.Index
  ) throws(RenderFault) -> RenderValue {
    var value = value
    for index in segment..<path.pointee.segmentStart + path.pointee.segmentCount {
      let name = segments[Int(index)]
      let found: JSONTape.Index?
      do throws(RenderFault) {
        switch tape.kind(value) {
        case .object: found = try self.value(named: name, in: value)
        case .array: found = try element(name, of: value)
        default: found = nil
        }
      } catch {
        lookups.paused = LookupMemo.PausedLookup(
          depth: -1, segment: index, value: value, isInOwner: isInOwner)
        throw error
      }
      guard let found else { return .missing }
      value = found
    }
    return RenderValue(node: value)
  }

  /// The value of an object's member at any position. Asks the memo only for large objects, because each use
  /// of it is reference counted.
  mutating func value(named name: UInt32, in object: JSONTape.Index) throws(RenderFault) -> JSONTape.Index? {
    if tape.count(object) <= LookupMemo.smallObjectMembers { return tape.value(named: name, in: object) }
    // Only objects have names, regardless of their count.
    guard tape.kind(object) == .object else { return nil }
    while !lookups.indexPart(object, on: tape, iterations: &iterations) { try pauseIfOver() }
    lookSoon()
    return lookups.valueInIndexed(named: name)
  }

  private mutating func pauseIfOver() throws(RenderFault) {
    guard isTimeOver() else { return }
    lookups.isUnfinished = true
    throw .paused
  }

  // MARK: Lists

  private mutating func element(
    _ name: UInt32, of array: JSONTape.Index
  ) throws(RenderFault) -> JSONTape.Index? {
    let index = names[Int(name)].listIndex
    if index == noIndex || tape.kind(array) != .array || Int(index) >= tape.count(array) { return nil }
    while true {
      if let element = lookups.element(Int(index), of: array, on: tape) {
        // Counts as if the list were walked from its start, so the cost does not depend on earlier look-ups.
        note(steps: Int(index))
        lookSoon()
        return element
      }
      try pauseIfOver()
    }
  }

  /// Counts work that may print nothing and so is not bounded by the output limit: 16 bytes, nodes or
  /// elements count as one iteration. The limit is checked when the next one is counted, or at the end of the
  /// row.
  @inline(__always)
  mutating func note(steps: Int) { iterations &+= steps &>> 4 }
}
