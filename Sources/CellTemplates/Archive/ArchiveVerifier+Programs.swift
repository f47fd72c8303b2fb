/// The operations of programs: every construct is closed where it ends.
extension ArchiveVerifier {
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
      case outlet(start: UInt32, number: UInt32)
      /// What a value may replace or leave out: an attribute or a part of it, an outlet's content, a condition's.
      case design
    }
    let construct: Construct
    let end: UInt32
    /// The outlet that its content is directly inside of, apart from designs.
    let outlet: UInt32?

    /// - Parameter outer: the construct around it.
    init(construct: Construct, end: UInt32, in outer: Open?) {
      self.construct = construct
      self.end = end
      outlet =
        switch construct {
        case .outlet(_, let number): number
        case .design: outer?.outlet
        case .section, .inverted, .block, .overrides, .body: nil
        }
    }
  }

  /// The calls and blocks used so far. Each is used once, in the order of the operations.
  private struct Used {
    var calls: UInt32 = 0
    var blocks: UInt32 = 0
  }

  /// Programs are contiguous and fill the table of operations.
  func verifyPrograms() throws(ArchiveError) {
    var used = Used()
    var end: UInt64 = 0
    for program in tables.programs {
      try check(UInt64(program.opStart) == end, "programs share operations")
      end += UInt64(program.opCount)
      try spend(Int(program.opCount))
      try verify(program, &used)
    }
    try check(end == UInt64(tables.ops.count), "operations belong to no program")
  }

  private func verify(_ program: ProgramEntry, _ used: inout Used) throws(ArchiveError) {
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
        open[open.count - 1] = Open(
          construct: .overrides(starts: starts, begun: begun + 1), end: last.end, in: nil)
        open.append(Open(construct: .body, end: last.end, in: nil))
      }
      try verify(tables.ops[Int(index)], at: index, in: program, &open, &used)
    }
    try check(open.isEmpty, "a construct is not closed")
    try check(tables.ops[Int(end) - 1].code == OpCode.end.rawValue, "a program has no end")
  }

  private func verify(
    _ op: Op, at index: UInt32, in program: ProgramEntry, _ open: inout [Open], _ used: inout Used
  ) throws(ArchiveError) {
    guard let code = OpCode(rawValue: op.code) else { throw .inconsistent("an operation is unknown") }
    try check(isInside(op.literal), "a literal is outside the literals")
    let limit = open.last?.end ?? (program.opStart + program.opCount)
    switch code {
    case .end:
      try check(open.isEmpty && index == program.opStart + program.opCount - 1, "a program ends too early")
    case .literal:
      break
    case .value, .bound, .boundBeside:
      try check(code != .boundBeside || isBesideOutlet(open), "an operation needs an outlet but none is open")
      try check(
        op.a < tables.paths.count && op.valueCodes != nil, "a value has an unknown path or escaper")
      try check(isFormatOrNone(op.valueFormat), "a value has an unknown format")
      try check(op.c < program.slotCount, "a value has no slot")
    case .section, .inverted, .truthy:
      try check(
        op.a < tables.paths.count && op.c < program.slotCount, "a section has an unknown path or slot")
      try check(op.b > index && op.b <= limit, "a section ends outside its enclosing construct")
      open.append(
        Open(
          construct: code == .section ? .section(start: index) : code == .truthy ? .design : .inverted,
          end: op.b, in: open.last))
    case .sectionEnd:
      guard let last = open.popLast(), case .section(let start) = last.construct, last.end == index + 1,
        op.a == start
      else { throw .inconsistent("a section is closed but none is open") }
    case .call:
      try verifyCall(op, in: program, &used)
      try check(tables.calls[Int(op.a)].overrideCount == 0, "a partial has overrides")
    case .include:
      try verifyCall(op, in: program, &used)
      try check(tables.calls[Int(op.a)].overrideCount == 0, "an included cell has overrides")
      guard let codes = op.includeCodes else { throw .inconsistent("an included cell has unknown marks") }
      try check(!codes.isBeside || isBesideOutlet(open), "an operation needs an outlet but none is open")
    case .parent:
      try verifyCall(op, in: program, &used)
      try check(op.b > index && op.b <= limit, "a parent ends outside its enclosing construct")
      let call = tables.calls[Int(op.a)]
      let run = tables.overrides[Int(call.overrideStart)..<Int(call.overrideStart) + Int(call.overrideCount)]
      for override in run {
        try check(
          override.bodyStart > index && override.bodyStart < op.b, "an override is outside its parent")
      }
      open.append(
        Open(construct: .overrides(starts: Set(run.map(\.bodyStart)), begun: 0), end: op.b, in: open.last))
    case .block:
      try check(op.a < tables.blocks.count && op.a == used.blocks, "a block is unknown")
      used.blocks += 1
      try check(op.b > index && op.b <= limit, "a block ends outside its enclosing construct")
      open.append(Open(construct: .block, end: op.b, in: open.last))
    case .bodyEnd:
      guard let last = open.popLast(), case .body = last.construct else {
        throw .inconsistent("an override's body is closed but none is open")
      }
    case .outlet:
      try check(
        op.a < tables.outlets.count && op.c < program.slotCount, "an outlet is unknown or has no slot")
      try check(op.b > index && op.b <= limit, "an outlet ends outside its enclosing construct")
      open.append(Open(construct: .outlet(start: index, number: op.a), end: op.b, in: open.last))
    case .bind, .presence:
      try check(op.a < tables.binds.count, "a bound attribute is unknown")
      let bind = tables.binds[Int(op.a)]
      try check(
        BindEntry.Marks(rawValue: bind.marks).isDisjoint(with: Self.besideOutlets) || isBesideOutlet(open),
        "an operation needs an outlet but none is open")
      try check(
        bind.path == noIndex ? op.c == noIndex : op.c < program.slotCount, "a bound attribute has no slot")
      try check(op.b > index && op.b <= limit, "a bound attribute's design ends outside it")
      open.append(Open(construct: .design, end: op.b, in: open.last))
    case .blind:
      try check(op.a <= 1 && isBesideOutlet(open), "an operation needs an outlet but none is open")
      try check(op.b > index && op.b <= limit, "a design ends outside its enclosing construct")
      open.append(Open(construct: .design, end: op.b, in: open.last))
    case .listItem:
      try check(isInside(LiteralRef(offset: op.a, count: op.b)), "a list's opening is outside the literals")
      try check(op.c & ~Op.goesOnWithItem < 0x80, "a list's separator is not a character")
    case .listBreak, .listEnd:
      break
    case .condition, .conditionBeside:
      try check(
        code == .condition || isBesideOutlet(open), "an operation needs an outlet but none is open")
      try check(
        op.a < tables.conditions.count && op.c < program.slotCount, "a condition is unknown or has no slot")
      try check(op.b > index && op.b <= limit, "a condition ends outside its enclosing construct")
      open.append(Open(construct: .design, end: op.b, in: open.last))
    case .plural:
      try check(
        op.a < tables.conditions.count
          && tables.conditions[Int(op.a)].comparison == ConditionEntry.Comparison.plural.rawValue
          && op.c < program.slotCount, "a plural is unknown or has no slot")
      try check(op.b > index && op.b <= limit, "a condition ends outside its enclosing construct")
      open.append(Open(construct: .design, end: op.b, in: open.last))
    case .machine:
      try check(
        op.a == open.last?.outlet && op.b < tables.formats.count && op.c < program.slotCount,
        "an attribute of a formatted value is unknown")
      try check(
        FormatKind(rawValue: tables.formats[Int(op.b)].kind)?.isMachine == true,
        "an attribute of a formatted value has another format")
    case .listWords:
      try check(
        op.a < tables.formats.count && tables.formats[Int(op.a)].kind == FormatKind.list.rawValue
          && op.b <= 1 && isBesideOutlet(open), "a list's words are unknown")
    case .outletContent:
      try check(op.a == open.last?.outlet, "an outlet has the content of another one")
      try verifyDesign(op, at: index, ownKey: tables.outlets[Int(op.a)].textName, in: program, &open)
    case .outletEnd:
      guard let last = open.popLast(), case .outlet(let start, _) = last.construct, last.end == index + 1,
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
    guard let last = open.last, isBesideOutlet(open) else {
      throw .inconsistent("an operation needs an outlet but none is open")
    }
    try check(
      ownKey == noIndex ? op.c == noIndex : op.c < program.slotCount, "an outlet's own key has no slot")
    try check(op.b > index && op.b <= last.end, "an outlet's design ends outside it")
    open.append(Open(construct: .design, end: op.b, in: open.last))
  }

  private static var besideOutlets: BindEntry.Marks { [.isBeside, .takesScalar, .takesChoice] }

  /// Whether the innermost construct that is more than a choice of what to write is an outlet.
  private func isBesideOutlet(_ open: [Open]) -> Bool { open.last?.outlet != nil }

  private func verifyCall(_ op: Op, in program: ProgramEntry, _ used: inout Used) throws(ArchiveError) {
    try check(op.a < tables.calls.count && op.a == used.calls, "a call is unknown")
    used.calls += 1
    let isDynamic = tables.calls[Int(op.a)].dynamicPath != noIndex
    try check(isDynamic ? op.c < program.slotCount : op.c == noIndex, "a call has no slot")
  }
}
