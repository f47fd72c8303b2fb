/// Turns one template's tree into the steps of one program.
struct ProgramWriter {
  private let template: ParsedTemplate
  private let builder: TableBuilder
  private let linker: ProgramLinker
  /// The program is called with indentation: its lines are marked.
  private var marksLines: Bool
  private var slotCount: UInt32 = 0
  /// Literal bytes that wait for the step they are written with.
  private var pending: [UInt8] = []

  private init(_ template: ParsedTemplate, marksLines: Bool, into builder: TableBuilder, linker: ProgramLinker) {
    self.template = template
    self.marksLines = marksLines
    self.builder = builder
    self.linker = linker
  }

  /// Appends the program's steps to the builder's tables; asks the linker for the programs they call.
  static func write(
    _ template: ParsedTemplate, key: ProgramLinker.Key, into builder: TableBuilder, linker: ProgramLinker
  ) -> ProgramEntry {
    let start = builder.tables.ops.count
    var writer = ProgramWriter(template, marksLines: key.marksLines, into: builder, linker: linker)
    writer.write(template.nodes)
    writer.append(Op(.end))
    return ProgramEntry(
      opStart: UInt32(start), opCount: UInt32(builder.tables.ops.count - start), slotCount: writer.slotCount,
      kind: UInt32(key.template))
  }

  private mutating func write(_ nodes: [MustacheNode]) {
    for node in nodes {
      switch node {
      case .lineStart(let isBlank):
        if marksLines { append(Op(.lineStart, a: isBlank ? 1 : 0)) }
      case .text(let range):
        pending += template.source.bytes[range]
      case .variable(let name, let isRaw, _):
        append(Op(.value, a: builder.path(name), b: escaper(isRaw: isRaw).rawValue, c: slot()))
      case .section(let name, let isInverted, let content, _):
        let start = append(Op(isInverted ? .inverted : .section, a: builder.path(name), c: slot()))
        write(content)
        if isInverted { flush() } else { append(Op(.sectionEnd, a: UInt32(start))) }
        builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
      case .partial(let call):
        writeCall(call)
      case .parent(let call, let overrides):
        writeParent(call, overrides)
      case .block(let block):
        let entry = BlockEntry(
          name: builder.name(block.name), opensLine: block.opensLine ? 1 : 0, indentation: literal(block.indentation))
        builder.tables.blocks.append(entry)
        let start = append(Op(.block, a: UInt32(builder.tables.blocks.count - 1)))
        write(block.content)
        flush()
        builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
      }
    }
  }

  private mutating func writeCall(_ call: MustacheCall) {
    let entry = callEntry(call)
    if entry.program == noIndex, entry.dynamicPath == noIndex { return }
    builder.tables.calls.append(entry)
    let isDynamic = entry.dynamicPath != noIndex
    append(Op(.call, a: UInt32(builder.tables.calls.count - 1), c: isDynamic ? slot() : noIndex))
  }

  private mutating func writeParent(_ call: MustacheCall, _ overrides: [MustacheBlock]) {
    var entry = callEntry(call)
    if entry.program == noIndex, entry.dynamicPath == noIndex { return }
    // Bodies first: they may hold parents of their own, whose overrides must not stand among these.
    let callIndex = builder.tables.calls.count
    builder.tables.calls.append(entry)
    let isDynamic = entry.dynamicPath != noIndex
    let start = append(Op(.parent, a: UInt32(callIndex), c: isDynamic ? slot() : noIndex))
    var entries: [OverrideEntry] = []
    let outerMarks = marksLines
    marksLines = true
    for block in overrides {
      entries.append(
        OverrideEntry(
          blockName: builder.name(block.name), bodyStart: UInt32(builder.tables.ops.count),
          startsLine: block.contentStartsLine ? 1 : 0))
      write(block.content)
      append(Op(.bodyEnd))
    }
    marksLines = outerMarks
    entry.overrideStart = UInt32(builder.tables.overrides.count)
    entry.overrideCount = UInt32(entries.count)
    builder.tables.overrides += entries
    builder.tables.calls[callIndex] = entry
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }

  private func callEntry(_ call: MustacheCall) -> CallEntry {
    let indentation = call.standsAlone ? literal(call.indentation) : .empty
    let isIndented = call.standsAlone && (marksLines || indentation.count > 0)
    var entry = CallEntry(
      program: noIndex, dynamicPath: noIndex, isIndented: isIndented ? 1 : 0, indentation: indentation,
      overrideStart: 0, overrideCount: 0, isHTML: template.source.mode == .html ? 1 : 0)
    switch call.target {
    case .kind(let kind):
      if let callee = linker.template(ofKind: kind) {
        entry.program = linker.program(ProgramLinker.Key(template: callee, marksLines: isIndented))
      }
    case .dynamic(let name): entry.dynamicPath = builder.path(name)
    }
    return entry
  }

  private func literal(_ range: Range<Int>) -> LiteralRef {
    builder.literal(Array(template.source.bytes[range]))
  }

  /// The place for contextual escaping: the escaper of a value is chosen here and nowhere else.
  private func escaper(isRaw: Bool) -> Escaper {
    switch template.source.mode {
    case .html: isRaw ? .rawHTML : .html
    case .text: isRaw ? .none : .text
    }
  }

  private mutating func slot() -> UInt32 {
    slotCount += 1
    return slotCount - 1
  }

  @discardableResult
  private mutating func append(_ op: Op) -> Int {
    var op = op
    op.literal = builder.literal(pending)
    pending.removeAll(keepingCapacity: true)
    builder.tables.ops.append(op)
    return builder.tables.ops.count - 1
  }

  /// Writes the bytes that wait before a place that a jump leads to.
  private mutating func flush() {
    if !pending.isEmpty { append(Op(.literal)) }
  }
}
