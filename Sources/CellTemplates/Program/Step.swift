/// An `Op` as the renderer runs it. It includes the data it refers to, so that most steps need no other
/// table.
///
/// Made from a verified archive's operations at load time, one for one: a step has the index of its `Op`. 32
/// bytes.
package struct Step: BitwiseCopyable, Sendable {
  /// What a step does: an `OpCode`, or a specialized form of one.
  package enum Code: UInt8, BitwiseCopyable, Sendable {
    case end = 0
    case literal = 1
    case value = 2
    case section = 3
    case sectionEnd = 4
    case inverted = 5
    case call = 6
    case parent = 7
    case block = 8
    case bodyEnd = 9
    case lineStart = 10
    case outlet = 11
    case bind = 12
    case outletContent = 13
    case outletEnd = 14
    case condition = 15
    /// An `outlet` directly followed by its `outletContent`, whose content is directly followed by the end. A
    /// text that fills it needs only the literals of these two.
    case plainOutlet = 16
    case presence = 17
    case blind = 18
    case listItem = 19
    case listEnd = 20
    case bound = 21
    case boundBeside = 22
    case conditionBeside = 23
    case include = 24
    case truthy = 25
    case plural = 26
    case machine = 27
    case listWords = 28
    /// A `value` with a format, whose number is `jump`.
    case format = 29
  }

  /// Copied to the output before the step itself; may be empty.
  package let literal: LiteralRef
  package let code: Code
  /// The escaper of a value or of an outlet's content.
  package let escaper: Escaper
  /// What a value that is missing does.
  package let missing: MissingPolicy.Own
  /// The first name of a path with one or two names. For any other path, the number of all names, which is
  /// not a valid id.
  package let name: UInt32
  /// The second name; `noIndex` if there is none.
  package let member: UInt32
  /// The hint slot.
  package let slot: UInt32
  /// Where to jump if the step does not continue with the next one; for an end, where its loop starts again. For a value,
  /// the number of its format, or `noIndex`.
  package let jump: UInt32
  /// The row of the step's table: path, outlet, bind, call or block. For a `lineStart`, 1 if the line is
  /// blank.
  package let entry: UInt32
}

extension Step {
  /// The steps of verified tables.
  static func steps(of tables: ArchiveTables) -> [Step] {
    tables.ops.indices.map { Step(tables.ops[$0], at: $0, in: tables) }
  }

  private init(_ op: Op, at place: Int, in tables: ArchiveTables) {
    guard let code = OpCode(rawValue: op.code) else { preconditionFailure("the archive must be verified") }
    var (entry, jump, escaper) = (op.a, op.b, Escaper.none)
    var missing = MissingPolicy.Own.none
    var path: UInt32?
    switch code {
    case .value, .bound, .boundBeside:
      guard let codes = op.valueCodes else { preconditionFailure("the archive must be verified") }
      (path, escaper, missing, jump) = (op.a, codes.escaper, codes.missing, codes.format)
    case .section, .inverted, .truthy: path = op.a
    case .sectionEnd: jump = op.a + 1
    case .outlet: path = tables.outlets[Int(op.a)].path
    case .condition, .conditionBeside: path = tables.conditions[Int(op.a)].path
    case .outletEnd: (entry, jump) = (tables.ops[Int(op.a)].a, op.a + 1)
    case .plural: path = tables.conditions[Int(op.a)].path
    case .include:
      guard let codes = op.includeCodes else { preconditionFailure("the archive must be verified") }
      (jump, missing) = (codes.isBeside ? 1 : 0, codes.missing)
    case .call, .parent, .block, .bodyEnd, .lineStart, .bind, .presence, .blind, .listItem, .listEnd,
      .machine, .listWords,
      .outletContent, .literal, .end:
      break
    }
    let isPlain = code == .outlet && Self.isPlainOutlet(op, at: place, in: tables)
    let lookedUpOutward: [OpCode] = [.value, .section, .inverted, .truthy, .plural]
    let names = path.flatMap {
      Self.names(
        of: tables.paths[Int($0)], isOutlet: !lookedUpOutward.contains(code), in: tables)
    }
    literal = op.literal
    self.code = isPlain ? .plainOutlet : code == .value && jump != noIndex ? .format : Code(code)
    self.escaper = escaper
    self.missing = missing
    name = names?.name ?? UInt32(tables.names.count)
    member = names?.member ?? noIndex
    slot = op.c
    self.jump = jump
    self.entry = entry
  }

  /// The names of a path that can be found without reading the path; nil for any other. The request's owner
  /// in an outlet is another, because it is not looked up in the row.
  private static func names(
    of path: PathEntry, isOutlet: Bool, in tables: ArchiveTables
  ) -> (name: UInt32, member: UInt32)? {
    guard path.root == PathEntry.Root.name.rawValue, path.segmentCount <= 1 else { return nil }
    if isOutlet, path.name == ReservedName.owner { return nil }
    return (path.name, path.segmentCount == 1 ? tables.segments[Int(path.segmentStart)] : noIndex)
  }

  /// Whether an element contains only the value that fills it, as element text.
  private static func isPlainOutlet(_ op: Op, at place: Int, in tables: ArchiveTables) -> Bool {
    // Every outlet is followed by other operations, the last being its end.
    let content = tables.ops[place + 1]
    let outlet = tables.outlets[Int(op.a)]
    return content.code == OpCode.outletContent.rawValue && content.b == op.b - 1
      && outlet.escaper == Escaper.html.rawValue && outlet.form == OutletEntry.Form.element.rawValue
      && outlet.startsWithNewline == 0 && outlet.format == noIndex
  }
}

extension Step.Code {
  init(_ code: OpCode) {
    guard let own = Self(rawValue: UInt8(code.rawValue)) else {
      preconditionFailure("every operation has a step")
    }
    self = own
  }
}
