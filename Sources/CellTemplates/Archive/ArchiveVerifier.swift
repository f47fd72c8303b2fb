/// Verifies that tables can be run without runtime checks: every reference is inside its table, every jump
/// leads to the end of its construct, and everything opened is closed.
///
/// The cost is linear in the size of the tables.
struct ArchiveVerifier {
  let tables: ArchiveTables
  private let budget: LoadBudget

  init(_ tables: ArchiveTables, budget: LoadBudget = LoadBudget()) {
    self.tables = tables
    self.budget = budget
  }

  /// The calls and blocks used so far. Each is used once, in the order of the operations.
  private var usedCalls: UInt32 = 0
  private var usedBlocks: UInt32 = 0

  mutating func verify() throws(ArchiveError) {
    try verifyTexts()
    try verifyPaths()
    try verifyCalls()
    try spend(tables.names.count + tables.paths.count + tables.calls.count)
    try verifyOutlets()
    try verifyNibs()
    try verifyParts()
    try spend(tables.outlets.count + tables.nibs.count + tables.parts.count)
    try verifyKinds()
    try verifySchemes()
    try verifyPrograms()
  }

  private func spend(_ rows: Int) throws(ArchiveError) {
    if !budget.spend(10 * rows), let fault = budget.fault {
      throw .loadLimit(fault.message, hint: fault.hint)
    }
  }

  func check(_ holds: Bool, _ what: @autoclosure () -> String) throws(ArchiveError) {
    if !holds { throw .inconsistent(what()) }
  }

  func isInside(_ ref: LiteralRef) -> Bool {
    UInt64(ref.offset) + UInt64(ref.count) <= UInt64(tables.literals.count)
  }

  func isRun(_ start: UInt32, _ count: UInt32, of size: Int) -> Bool {
    UInt64(start) + UInt64(count) <= UInt64(size)
  }

  private func verifyTexts() throws(ArchiveError) {
    for name in tables.names { try check(isInside(name.text), "a name is outside its text") }
    for text in tables.texts { try check(isInside(text), "a text is outside the literals") }
    try check(tables.names.count >= ArchiveTables.reservedNames.count, "the reserved names are missing")
    for (id, name) in ArchiveTables.reservedNames.enumerated() {
      try check(bytes(tables.names[id].text) == Array(name.utf8), "the name \(name) is not in its place")
    }
    var seen: Set<[UInt8]> = []
    var length: UInt64 = 0
    for name in tables.names {
      // Names must not share text, so that overlapping names cannot exhaust the memory.
      length += UInt64(name.text.count)
      try check(length <= UInt64(tables.literals.count), "the names are longer than their texts")
      try check(seen.insert(bytes(name.text)).inserted, "a name exists twice")
    }
  }

  private func bytes(_ ref: LiteralRef) -> [UInt8] {
    Array(tables.literals[Int(ref.offset)..<Int(ref.offset) + Int(ref.count)])
  }

  private func verifyPaths() throws(ArchiveError) {
    let names = tables.names.count
    for segment in tables.segments { try check(segment < names, "a path has an unknown name") }
    for path in tables.paths {
      try check(PathEntry.Root(rawValue: path.root) != nil, "a path has an unknown root")
      try check(path.root != PathEntry.Root.name.rawValue || path.name < names, "a path has an unknown name")
      try check(
        isRun(path.segmentStart, path.segmentCount, of: tables.segments.count), "a path has no segments")
      try check(isInside(path.text), "a path's text is outside the literals")
    }
  }

  private func verifyCalls() throws(ArchiveError) {
    var overrides: UInt64 = 0
    for call in tables.calls {
      overrides += UInt64(call.overrideCount)
      try check(overrides <= UInt64(tables.overrides.count), "calls share overrides")
      try check(
        call.program == noIndex || call.program < tables.programs.count, "a call has an unknown program")
      try check(
        call.dynamicPath == noIndex || call.dynamicPath < tables.paths.count, "a call has an unknown path")
      try check((call.program == noIndex) != (call.dynamicPath == noIndex), "a call has no target")
      try check(isInside(call.indentation), "a call's indentation is outside the literals")
      try check(
        isRun(call.overrideStart, call.overrideCount, of: tables.overrides.count), "a call has no overrides")
      try check(call.isIndented <= 1 && call.isHTML <= 1, "a call has unknown marks")
    }
    for override in tables.overrides {
      try check(override.blockName < tables.names.count, "an override has an unknown name")
      try check(override.startsLine <= 1, "an override has unknown marks")
    }
    for block in tables.blocks {
      try check(block.name < tables.names.count, "a block has an unknown name")
      try check(isInside(block.indentation) && block.opensLine <= 1, "a block has unknown marks")
    }
  }

  private func verifyKinds() throws(ArchiveError) {
    var previous: [UInt8]?
    var links: UInt64 = 0
    var length: UInt64 = 0
    var parts: UInt64 = 0
    for (number, kind) in tables.kinds.enumerated() {
      try spend(1 + Int(kind.linkCount))
      try check(isInside(kind.name), "a kind's name is outside the literals")
      // The same for the names of kinds.
      length += UInt64(kind.name.count)
      try check(length <= UInt64(tables.literals.count), "the kinds are longer than their texts")
      let name = bytes(kind.name)
      try check(KindName.isValid(String(decoding: name, as: UTF8.self)), "a kind has no valid name")
      if let previous { try check(previous.lexicographicallyPrecedes(name), "the kinds are not sorted") }
      previous = name
      try check(kind.isText <= 1, "a kind has unknown marks")
      try check(isProgram(kind.program, of: number), "a kind has no program")
      try check(
        kind.indentedProgram == noIndex || isProgram(kind.indentedProgram, of: number),
        "a kind has no program")
      try check(isRun(kind.nameStart, kind.nameCount, of: tables.texts.count), "a kind's names are missing")
      try check(
        isRun(kind.partialStart, kind.partialCount, of: tables.texts.count), "a kind's partials are missing")
      try verifyPlace(of: kind)
      try check(UInt64(kind.partStart) == parts, "kinds share parts")
      parts += UInt64(kind.partCount)
      try verifyParts(of: kind)
      try check(UInt64(kind.linkStart) == links, "kinds share links")
      try verifyLinks(of: kind)
      links += UInt64(kind.linkCount)
    }
    try check(ToldSizes(tables).firstBeyondLimit == nil, "the descriptions of the kinds are too long")
  }

  /// An archive must not allow what the command line would refuse, and must allow the standard schemes, which
  /// the renderer assumes.
  private func verifySchemes() throws(ArchiveError) {
    try check(tables.schemes.count <= URLSchemes.limit, "there are too many URL schemes")
    var names: Set<String> = []
    var previous: [UInt8]?
    for scheme in tables.schemes {
      try check(
        isInside(scheme) && scheme.count <= URLSchemes.nameLimitBytes, "a URL scheme is not a valid name")
      let name = bytes(scheme)
      names.insert(String(decoding: name, as: UTF8.self))
      try check(URLSchemes.mayAllow(String(decoding: name, as: UTF8.self)), "a URL scheme is not allowed")
      if let previous {
        try check(previous.lexicographicallyPrecedes(name), "the URL schemes are not sorted")
      }
      previous = name
    }
    try check(names.isSuperset(of: URLSchemes.standard.names), "the standard URL schemes are missing")
  }

  private func isProgram(_ program: UInt32, of kind: Int) -> Bool {
    program < tables.programs.count && Int(tables.programs[Int(program)].kind) == kind
  }

  private func verifyLinks(of kind: KindEntry) throws(ArchiveError) {
    try check(isRun(kind.linkStart, kind.linkCount, of: tables.links.count), "a kind's links are missing")
    var base: UInt64 = 0
    var linked: Set<UInt32> = []
    // The renderer starts with the kind's own program, whose slots come first.
    try check(
      kind.linkCount > 0 && tables.links[Int(kind.linkStart)].program == kind.program, "a kind has no slots")
    for link in tables.links[Int(kind.linkStart)..<Int(kind.linkStart) + Int(kind.linkCount)] {
      try check(link.program < tables.programs.count, "a link has an unknown program")
      try check(linked.insert(link.program).inserted, "a link exists twice")
      try check(UInt64(link.slotBase) == base, "a link's slots are not in their place")
      base += UInt64(tables.programs[Int(link.program)].slotCount)
    }
    // Each slot belongs to an operation, and no operation is shared, so there are never more slots than
    // operations. A cell's memory is therefore bounded by the archive's size.
    try check(base == UInt64(kind.slotCount), "a kind's slots do not add up")
  }

  // MARK: Programs

  /// A construct that is open while a program's operations are verified in order.
  private struct Open {
    enum Construct {
      case section(start: UInt32)
      case inverted
      case block
      /// A parent's overrides, whose bodies fill the operations up to the end, and the number of bodies
      /// begun.
      case overrides(starts: Set<UInt32>, begun: Int)
      case body
      case outlet(start: UInt32)
      /// What an outlet may replace: an attribute or its content.
      case design
    }
    let construct: Construct
    let end: UInt32
  }

  /// Programs are contiguous and fill the table of operations.
  private mutating func verifyPrograms() throws(ArchiveError) {
    var end: UInt64 = 0
    for program in tables.programs {
      try check(UInt64(program.opStart) == end, "programs share operations")
      end += UInt64(program.opCount)
      try spend(Int(program.opCount))
      try verify(program)
    }
    try check(end == UInt64(tables.ops.count), "operations belong to no program")
  }

  private mutating func verify(_ program: ProgramEntry) throws(ArchiveError) {
    try check(
      isRun(program.opStart, program.opCount, of: tables.ops.count), "a program is outside the operations")
    try check(program.opCount > 0 && program.slotCount <= program.opCount, "a program is empty")
    try check(program.kind < tables.kinds.count, "a program has no kind")
    let end = program.opStart + program.opCount
    var open: [Open] = []
    for index in program.opStart..<end {
      while let last = open.last, last.end == index {
        switch last.construct {
        case .inverted, .block, .design: open.removeLast()
        case .overrides(let starts, let begun):
          try check(begun == starts.count, "an override does not start at a body")
          open.removeLast()
        case .section, .body, .outlet: throw .inconsistent("a construct is not closed where it ends")
        }
      }
      if let last = open.last, case .overrides(let starts, let begun) = last.construct {
        try check(starts.contains(index), "a body is not an override")
        open[open.count - 1] = Open(construct: .overrides(starts: starts, begun: begun + 1), end: last.end)
        open.append(Open(construct: .body, end: last.end))
      }
      try verify(tables.ops[Int(index)], at: index, in: program, &open)
    }
    try check(open.isEmpty, "a construct is not closed")
    try check(tables.ops[Int(end) - 1].code == OpCode.end.rawValue, "a program has no end")
  }

  private mutating func verify(_ op: Op, at index: UInt32, in program: ProgramEntry, _ open: inout [Open])
    throws(ArchiveError)
  {
    guard let code = OpCode(rawValue: op.code) else { throw .inconsistent("an operation is unknown") }
    try check(isInside(op.literal), "a literal is outside the literals")
    let limit = open.last?.end ?? (program.opStart + program.opCount)
    switch code {
    case .end:
      try check(open.isEmpty && index == program.opStart + program.opCount - 1, "a program ends too early")
    case .literal:
      break
    case .value:
      try check(
        op.a < tables.paths.count && op.valueCodes != nil, "a value has an unknown path or escaper")
      try check(op.c < program.slotCount, "a value has no slot")
    case .section, .inverted:
      try check(
        op.a < tables.paths.count && op.c < program.slotCount, "a section has an unknown path or slot")
      try check(op.b > index && op.b <= limit, "a section ends outside its enclosing construct")
      open.append(Open(construct: code == .section ? .section(start: index) : .inverted, end: op.b))
    case .sectionEnd:
      guard let last = open.popLast(), case .section(let start) = last.construct, last.end == index + 1,
        op.a == start
      else { throw .inconsistent("a section is closed but none is open") }
    case .call:
      try verifyCall(op, in: program)
      try check(tables.calls[Int(op.a)].overrideCount == 0, "a partial has overrides")
    case .parent:
      try verifyCall(op, in: program)
      try check(op.b > index && op.b <= limit, "a parent ends outside its enclosing construct")
      let call = tables.calls[Int(op.a)]
      let run = tables.overrides[Int(call.overrideStart)..<Int(call.overrideStart) + Int(call.overrideCount)]
      for override in run {
        try check(
          override.bodyStart > index && override.bodyStart < op.b, "an override is outside its parent")
      }
      open.append(Open(construct: .overrides(starts: Set(run.map(\.bodyStart)), begun: 0), end: op.b))
    case .block:
      try check(op.a < tables.blocks.count && op.a == usedBlocks, "a block is unknown")
      usedBlocks += 1
      try check(op.b > index && op.b <= limit, "a block ends outside its enclosing construct")
      open.append(Open(construct: .block, end: op.b))
    case .bodyEnd:
      guard let last = open.popLast(), case .body = last.construct else {
        throw .inconsistent("an override's body is closed but none is open")
      }
    case .outlet:
      try check(
        op.a < tables.outlets.count && op.c < program.slotCount, "an outlet is unknown or has no slot")
      try check(op.b > index && op.b <= limit, "an outlet ends outside its enclosing construct")
      open.append(Open(construct: .outlet(start: index), end: op.b))
    case .bind:
      try check(op.a < tables.binds.count, "a bound attribute is unknown")
      try verifyDesign(op, at: index, ownKey: tables.binds[Int(op.a)].name, in: program, &open)
    case .outletContent:
      try check(op.a < tables.outlets.count, "an outlet is unknown")
      try verifyDesign(op, at: index, ownKey: tables.outlets[Int(op.a)].textName, in: program, &open)
    case .outletEnd:
      guard let last = open.popLast(), case .outlet(let start) = last.construct, last.end == index + 1,
        op.a == start
      else { throw .inconsistent("an outlet is closed but none is open") }
    case .lineStart:
      try check(op.a <= 1, "a line's start has unknown marks")
    }
  }

  /// Verifies an operation directly inside an outlet, and the design after it that the outlet may replace.
  private func verifyDesign(
    _ op: Op, at index: UInt32, ownKey: UInt32, in program: ProgramEntry, _ open: inout [Open]
  ) throws(ArchiveError) {
    guard let last = open.last, case .outlet = last.construct else {
      throw .inconsistent("an operation needs an outlet but none is open")
    }
    try check(
      ownKey == noIndex ? op.c == noIndex : op.c < program.slotCount, "an outlet's own key has no slot")
    try check(op.b > index && op.b <= last.end, "an outlet's design ends outside it")
    open.append(Open(construct: .design, end: op.b))
  }

  private mutating func verifyCall(_ op: Op, in program: ProgramEntry) throws(ArchiveError) {
    try check(op.a < tables.calls.count && op.a == usedCalls, "a call is unknown")
    usedCalls += 1
    let isDynamic = tables.calls[Int(op.a)].dynamicPath != noIndex
    try check(isDynamic ? op.c < program.slotCount : op.c == noIndex, "a call has no slot")
  }
}
