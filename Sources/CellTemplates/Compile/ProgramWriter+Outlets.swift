extension ProgramWriter {
  /// Writes `outlet`, the start tag, `outletContent` and the designed content, the end tag, and `outletEnd`.
  mutating func writeOutlet(_ node: OutletNode) {
    let number = builder.tables.outlets.count
    builder.tables.outlets.append(
      OutletEntry(
        path: builder.path(node.path), form: node.form, escaper: node.escaper,
        held: node.content == nil ? .noContent : .nothing, startsWithNewline: node.startsWithNewline,
        absence: node.absence,
        missing: node.missing.map { MissingPolicy.Own($0, isOwn: true) } ?? MissingPolicy.Own(missing),
        format: builder.format(node.format)))
    let (outerMissing, outerOutlet) = (missing, outlet)
    outlet = UInt32(number)
    missing = node.missing ?? missing
    defer { (missing, outlet) = (outerMissing, outerOutlet) }
    noteCurrencies(of: node.format, as: .bound, element: node.element, at: node.at)
    let placeholder = node.content.map(Placeholder.text) ?? node.placeholder
    let part = note(
      CellPart(
        role: node.isTagged ? .taggedOutlet : .outlet, name: node.path.text, element: node.element,
        placeholder: placeholder,
        entry: UInt32(number), format: node.format, at: node.at))
    let start = append(Op(.outlet, a: UInt32(number), c: slot()))
    let presence = node.presence.map { writePresence($0) }
    if presence != nil { goingElements += 1 }
    write(node.startTag, in: part, isTopLevel: false)
    flush()
    let isLabel = builder.tables.ops[(start + 1)...].contains(where: readsNames)
    if let content = node.content {
      writeContent(content, of: node, number: number, part: part, isLabel: isLabel)
    }
    write(node.endTag, in: part, isTopLevel: false)
    if let presence {
      goingElements -= 1
      end(at: presence)
    }
    append(Op(.outletEnd, a: UInt32(start)))
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }

  /// Whether an operation of a start tag depends on names.
  private func readsNames(_ op: Op) -> Bool {
    switch OpCode(rawValue: op.code) {
    // What is printed of the outlet itself reads no names of its value.
    case .literal, .lineStart, .machine, .listWords: false
    case .bind, .presence: builder.tables.binds[Int(op.a)].path != noIndex
    default: true
    }
  }

  private mutating func writeContent(
    _ content: [CellNode], of node: OutletNode, number: Int, part: Int, isLabel: Bool
  ) {
    let start = append(Op(.outletContent, a: UInt32(number), c: noIndex))
    let (outlets, conditions, holes) = (outletCount, conditionCount, holeCount)
    write(content, in: part, isTopLevel: false)
    flush()
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
    let held: OutletEntry.Held =
      outletCount > outlets
      ? .outlets
      : conditionCount > conditions ? .conditions : isLabel ? .label : .nothing
    builder.tables.outlets[number].held = held.rawValue
    let takesText = node.form != .data && node.escaper != .discard
    if takesText, holeCount == holes {
      builder.tables.outlets[number].textName = builder.name("text")
      builder.tables.ops[start].c = slot()
    }
  }

  mutating func writeBind(_ node: BindNode) {
    let number = appendBind(node)
    if let path = node.path {
      noteCurrencies(of: node.format, as: .bound, element: node.attribute, at: node.at)
      note(
        CellPart(
          role: .bind, name: path.text, element: node.attribute, entry: number, escaper: node.escaper,
          format: node.format, at: node.at))
    }
    let start = append(Op(.bind, a: number, c: node.path == nil ? noIndex : slot()))
    write(node.designed)
    end(at: start)
  }

  /// Writes a `presence` without its end.
  mutating func writePresence(_ node: BindNode) -> Int {
    let number = appendBind(node)
    return append(Op(.presence, a: number, c: node.path == nil ? noIndex : slot()))
  }

  private func appendBind(_ node: BindNode) -> UInt32 {
    var opening = " \(node.attribute)=\""
    if case .choice = node.form { opening = " \(node.attribute)" }
    if node.form == .item || node.form == .piece { opening = "" }
    var marks: BindEntry.Marks = []
    if node.takesScalar { marks.insert(.takesScalar) }
    if node.takesChoice { marks.insert(.takesChoice) }
    if node.isBeside { marks.insert(.isBeside) }
    if node.takesWords { marks.insert(.takesWords) }
    if node.joins { marks.insert(.joins) }
    if node.isDrawn { marks.insert(.isDrawn) }
    builder.tables.binds.append(
      BindEntry(
        opening: builder.literal(node.opening ?? opening), path: node.path.map(builder.path) ?? noIndex,
        form: node.form, escaper: node.escaper, marks: marks, missing: MissingPolicy.Own(missing),
        format: builder.format(node.format)))
    return UInt32(builder.tables.binds.count - 1)
  }
}
