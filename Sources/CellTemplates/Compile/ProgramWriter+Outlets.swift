extension ProgramWriter {
  /// Writes `outlet`, the start tag, `outletContent` and the designed content, the end tag, and `outletEnd`.
  mutating func writeOutlet(_ node: OutletNode) {
    let number = builder.tables.outlets.count
    builder.tables.outlets.append(
      OutletEntry(
        path: builder.path(node.path), form: node.form, escaper: node.escaper,
        held: node.content == nil ? .noContent : .nothing, startsWithNewline: node.startsWithNewline,
        absence: node.absence,
        missing: node.missing.map { MissingPolicy.Own($0, isOwn: true) } ?? MissingPolicy.Own(missing)))
    let outerMissing = missing
    missing = node.missing ?? missing
    defer { missing = outerMissing }
    let placeholder = node.content.map(Placeholder.text) ?? node.placeholder
    let part = note(
      CellPart(
        role: node.isTagged ? .taggedOutlet : .outlet, name: node.path.text, element: node.element,
        placeholder: placeholder,
        entry: UInt32(number), at: node.at))
    let start = append(Op(.outlet, a: UInt32(number), c: slot()))
    write(node.startTag, in: part, isTopLevel: false)
    if let content = node.content { writeContent(content, of: node, number: number, part: part) }
    write(node.endTag)
    append(Op(.outletEnd, a: UInt32(start)))
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }

  private mutating func writeContent(_ content: [CellNode], of node: OutletNode, number: Int, part: Int) {
    let start = append(Op(.outletContent, a: UInt32(number), c: noIndex))
    let (outlets, conditions, holes) = (outletCount, conditionCount, holeCount)
    write(content, in: part, isTopLevel: false)
    flush()
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
    let held: OutletEntry.Held =
      outletCount > outlets ? .outlets : conditionCount > conditions ? .conditions : .nothing
    builder.tables.outlets[number].held = held.rawValue
    let takesText = node.form != .data && node.escaper != .discard
    if takesText, holeCount == holes {
      builder.tables.outlets[number].textName = builder.name("text")
      builder.tables.ops[start].c = slot()
    }
  }

  mutating func writeBind(_ node: BindNode) {
    let opening = node.form == .boolean ? " \(node.attribute)" : " \(node.attribute)=\""
    let entry = BindEntry(
      opening: builder.literal(opening), name: node.key.map(builder.name) ?? noIndex, form: node.form,
      escaper: node.escaper, takesScalar: node.takesScalar, takesChoice: node.takesChoice)
    let number = UInt32(builder.tables.binds.count)
    builder.tables.binds.append(entry)
    if let key = node.key {
      note(CellPart(role: .bind, name: key, element: node.attribute, entry: number, at: node.at))
    }
    let start = append(Op(.bind, a: number, c: node.key == nil ? noIndex : slot()))
    write(node.designed)
    flush()
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }
}
