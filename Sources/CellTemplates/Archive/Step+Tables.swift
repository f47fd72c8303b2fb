/// How the operations of an archive become steps.
extension Step {
  /// The steps of verified tables.
  static func steps(of tables: ArchiveTables) -> [Step] {
    tables.ops.indices.map { Step(tables.ops[$0], at: $0, in: tables) }
  }

  private init(_ op: Op, at position: Int, in tables: ArchiveTables) {
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
    case .call, .parent, .block, .bodyEnd, .lineStart, .bind, .presence, .blind, .listItem, .listBreak,
      .listEnd,
      .machine, .listWords,
      .outletContent, .literal, .end:
      break
    }
    let isPlain = code == .outlet && Self.isPlainOutlet(op, at: position, in: tables)
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
    if isOutlet, path.name == RequestName.owner { return nil }
    return (path.name, path.segmentCount == 1 ? tables.segments[Int(path.segmentStart)] : noIndex)
  }

  /// Whether an element contains only the value that fills it, as element text.
  private static func isPlainOutlet(_ op: Op, at position: Int, in tables: ArchiveTables) -> Bool {
    // Every outlet is followed by other operations, the last being its end.
    let content = tables.ops[position + 1]
    let outlet = tables.outlets[Int(op.a)]
    return content.code == OpCode.outletContent.rawValue && content.b == op.b - 1
      && outlet.escaper == Escaper.html.rawValue && outlet.form == OutletEntry.Form.element.rawValue
      && outlet.startsWithNewline == 0 && outlet.format == noIndex
  }
}
