/// Shows that tables can be run without a check at run time: every reference is inside its table, every jump lands
/// where the construct it belongs to ends, and what is opened is closed.
///
/// Cost is linear in the size of the tables.
struct ArchiveVerifier {
  private let tables: ArchiveTables

  init(_ tables: ArchiveTables) {
    self.tables = tables
  }

  mutating func verify() throws(ArchiveError) {
    try verifyTexts()
    try verifyPaths()
    try verifyCalls()
    try verifyKinds()
    for program in tables.programs { try verify(program) }
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) throws(ArchiveError) {
    if !holds { throw .inconsistent(what()) }
  }

  private func isInside(_ ref: LiteralRef) -> Bool {
    UInt64(ref.offset) + UInt64(ref.count) <= UInt64(tables.literals.count)
  }

  private func isRun(_ start: UInt32, _ count: UInt32, of size: Int) -> Bool {
    UInt64(start) + UInt64(count) <= UInt64(size)
  }

  private func verifyTexts() throws(ArchiveError) {
    for name in tables.names { try check(isInside(name.text), "a name lies outside its text") }
    for text in tables.texts { try check(isInside(text), "a text lies outside the literals") }
    try check(tables.names.count >= ArchiveTables.reservedNames.count, "the reserved names are missing")
    for (id, name) in ArchiveTables.reservedNames.enumerated() {
      try check(bytes(tables.names[id].text) == Array(name.utf8), "the name \(name) is not at its place")
    }
    var seen: Set<[UInt8]> = []
    for name in tables.names { try check(seen.insert(bytes(name.text)).inserted, "a name is there twice") }
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
      try check(isRun(path.segmentStart, path.segmentCount, of: tables.segments.count), "a path has no segments")
      try check(isInside(path.text), "a path's text lies outside the literals")
    }
  }

  private func verifyCalls() throws(ArchiveError) {
    for call in tables.calls {
      try check(call.program == noIndex || call.program < tables.programs.count, "a call has an unknown program")
      try check(call.dynamicPath == noIndex || call.dynamicPath < tables.paths.count, "a call has an unknown path")
      try check((call.program == noIndex) != (call.dynamicPath == noIndex), "a call has no target")
      try check(isInside(call.indentation), "a call's indentation lies outside the literals")
      try check(isRun(call.overrideStart, call.overrideCount, of: tables.overrides.count), "a call has no overrides")
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
    for kind in tables.kinds {
      try check(isInside(kind.name), "a kind's name lies outside the literals")
      let name = bytes(kind.name)
      try check(KindName.isValid(String(decoding: name, as: UTF8.self)), "a kind has no valid name")
      if let previous { try check(previous.lexicographicallyPrecedes(name), "the kinds are not sorted") }
      previous = name
      try check(kind.isText <= 1, "a kind has unknown marks")
      try check(kind.program < tables.programs.count, "a kind has no program")
      try check(
        kind.indentedProgram == noIndex || kind.indentedProgram < tables.programs.count, "a kind has no program")
      try check(isRun(kind.nameStart, kind.nameCount, of: tables.texts.count), "a kind's names are missing")
      try check(isRun(kind.partialStart, kind.partialCount, of: tables.texts.count), "a kind's partials are missing")
      try verifyLinks(of: kind)
    }
  }

  private func verifyLinks(of kind: KindEntry) throws(ArchiveError) {
    try check(isRun(kind.linkStart, kind.linkCount, of: tables.links.count), "a kind's links are missing")
    var base: UInt64 = 0
    for link in tables.links[Int(kind.linkStart)..<Int(kind.linkStart) + Int(kind.linkCount)] {
      try check(link.program < tables.programs.count, "a link has an unknown program")
      try check(UInt64(link.slotBase) == base, "a link's slots are not at their place")
      base += UInt64(tables.programs[Int(link.program)].slotCount)
    }
    // A slot is made from a step, so there are never more: a cell's memory is bounded by the archive's size.
    try check(base == UInt64(kind.slotCount), "a kind's slots do not add up")
  }

  // MARK: Programs

  /// What is open while a program's steps are read from first to last.
  private struct Open {
    enum Construct {
      case section(start: UInt32)
      case inverted
      case block
      /// The overrides of a parent, whose bodies fill the steps up to the end.
      case overrides(starts: Set<UInt32>)
      case body
    }
    let construct: Construct
    let end: UInt32
  }

  private func verify(_ program: ProgramEntry) throws(ArchiveError) {
    try check(isRun(program.opStart, program.opCount, of: tables.ops.count), "a program lies outside the steps")
    try check(program.opCount > 0 && program.slotCount <= program.opCount, "a program is empty")
    try check(program.kind < tables.kinds.count, "a program has no kind")
    let end = program.opStart + program.opCount
    var open: [Open] = []
    for index in program.opStart..<end {
      while let last = open.last, last.end == index {
        switch last.construct {
        case .inverted, .block, .overrides: open.removeLast()
        case .section, .body: throw .inconsistent("a construct is not closed where it ends")
        }
      }
      if let last = open.last, case .overrides(let starts) = last.construct {
        try check(starts.contains(index), "an override does not start at its body")
        open.append(Open(construct: .body, end: last.end))
      }
      try verify(tables.ops[Int(index)], at: index, in: program, &open)
    }
    try check(open.isEmpty, "a construct is not closed")
    try check(tables.ops[Int(end) - 1].code == OpCode.end.rawValue, "a program has no end")
  }

  private func verify(_ op: Op, at index: UInt32, in program: ProgramEntry, _ open: inout [Open]) throws(ArchiveError) {
    guard let code = OpCode(rawValue: op.code) else { throw .inconsistent("a step is unknown") }
    let limit = open.last?.end ?? (program.opStart + program.opCount)
    switch code {
    case .end:
      try check(open.isEmpty && index == program.opStart + program.opCount - 1, "a program ends too early")
    case .literal:
      try check(isInside(LiteralRef(offset: op.a, count: op.b)), "a literal lies outside the literals")
    case .value:
      try check(op.a < tables.paths.count && Escaper(rawValue: op.b) != nil, "a value has an unknown path or escaper")
      try check(op.c < program.slotCount, "a value has no slot")
    case .section, .inverted:
      try check(op.a < tables.paths.count && op.c < program.slotCount, "a section has an unknown path or slot")
      try check(op.b > index && op.b <= limit, "a section ends outside of what it is in")
      open.append(Open(construct: code == .section ? .section(start: index) : .inverted, end: op.b))
    case .sectionEnd:
      guard let last = open.popLast(), case .section(let start) = last.construct, last.end == index + 1, op.a == start
      else { throw .inconsistent("a section is closed where none is open") }
    case .call:
      try verifyCall(op, in: program)
      try check(tables.calls[Int(op.a)].overrideCount == 0, "a partial has overrides")
    case .parent:
      try verifyCall(op, in: program)
      try check(op.b > index && op.b <= limit, "a parent ends outside of what it is in")
      let call = tables.calls[Int(op.a)]
      let run = tables.overrides[Int(call.overrideStart)..<Int(call.overrideStart) + Int(call.overrideCount)]
      for override in run {
        try check(override.bodyStart > index && override.bodyStart < op.b, "an override lies outside its parent")
      }
      open.append(Open(construct: .overrides(starts: Set(run.map(\.bodyStart))), end: op.b))
    case .block:
      try check(op.a < tables.blocks.count, "a block is unknown")
      try check(op.b > index && op.b <= limit, "a block ends outside of what it is in")
      open.append(Open(construct: .block, end: op.b))
    case .bodyEnd:
      guard let last = open.popLast(), case .body = last.construct else {
        throw .inconsistent("an override's body is closed where none is open")
      }
    case .lineStart:
      break
    }
  }

  private func verifyCall(_ op: Op, in program: ProgramEntry) throws(ArchiveError) {
    try check(op.a < tables.calls.count, "a call is unknown")
    let isDynamic = tables.calls[Int(op.a)].dynamicPath != noIndex
    try check(isDynamic ? op.c < program.slotCount : op.c == noIndex, "a call has no slot")
  }
}
