/// Converts one template's tree to the operations of one program.
struct ProgramWriter {
  private let template: ParsedTemplate
  private let tree: CellTree
  let builder: TableBuilder
  private let linker: ProgramLinker
  /// Whether line starts are marked, because the program may be called with indentation.
  private var marksLines: Bool
  private var slotCount: UInt32 = 0
  /// The most bytes of a literal: a row may pause between two.
  private static let literalBytes = 256 << 10
  /// Literal bytes to write with the next operation.
  private var pending: [UInt8] = []
  /// The number of outlets and bound attributes, and of conditions, written so far; `holeCount` includes Mustache tags.
  private(set) var outletCount = 0
  private(set) var conditionCount = 0
  private(set) var holeCount = 0
  /// The policy of the innermost element around that has one.
  var missing: MissingPolicy?
  /// The number of elements around that go without a file, so that what they hold is not always reached.
  var goingElements = 0
  /// The policy of the innermost plural's count; nil if its element is not always reached.
  var countPolicy: MissingPolicy.Own?
  /// The innermost outlet being written.
  var outlet = noIndex
  /// The template's parts for its kind's description, in the order of its operations.
  var parts: [CellPart] = []
  /// The kinds in static partial and parent tags, in order of first appearance.
  private var partials: [String] = []
  private var partialsSeen: Set<ExactString> = []
  /// The part being written.
  var parent: Int?
  /// Whether names are looked up in the row itself.
  private var isTopLevel = true

  private init(
    _ template: ParsedTemplate, _ tree: CellTree, marksLines: Bool, into builder: TableBuilder,
    linker: ProgramLinker
  ) {
    self.template = template
    self.tree = tree
    self.marksLines = marksLines
    self.builder = builder
    self.linker = linker
  }

  /// Appends the program's operations to the builder's tables, and requests the programs they call from the
  /// linker.
  static func write(
    _ template: ParsedTemplate, _ tree: CellTree, key: ProgramLinker.Key, into builder: TableBuilder,
    linker: ProgramLinker
  ) -> (entry: ProgramEntry, parts: [CellPart], partials: [String]) {
    let start = builder.tables.ops.count
    var writer = ProgramWriter(template, tree, marksLines: key.marksLines, into: builder, linker: linker)
    writer.missing = template.source.cell?.missing
    writer.write(tree.nodes)
    writer.append(Op(.end))
    let entry = ProgramEntry(
      opStart: UInt32(start), opCount: UInt32(builder.tables.ops.count - start), slotCount: writer.slotCount,
      kind: UInt32(key.template))
    return (entry, writer.parts, writer.partials)
  }

  mutating func write(_ nodes: [CellNode]) {
    for node in nodes where linker.budget.spend() {
      switch node {
      case .lineStart(let isBlank):
        if marksLines { append(Op(.lineStart, a: isBlank ? 1 : 0)) }
      case .literal(let bytes):
        pending += bytes
      case .value(let name, let escaper, let format, let at):
        noteCurrencies(of: format, as: .variable, at: at)
        note(
          CellPart(
            role: .variable, name: name.text, entry: judgedPolicy, escaper: escaper, format: format, at: at))
        append(
          Op(
            .value, a: builder.path(name),
            b: Op.value(escaper, MissingPolicy.Own(missing), format: builder.format(format)), c: slot()))
      case .plural(let name, let rule, let isInverted, let content, let at):
        writePlural(name, rule, isInverted: isInverted, content, at: at)
      case .section(let name, let isInverted, let content, let at):
        let path = builder.path(name)
        let part = note(
          CellPart(role: isInverted ? .inverted : .section, name: name.text, entry: path, at: at))
        let start = append(Op(isInverted ? .inverted : .section, a: path, c: slot()))
        write(content, in: part, isTopLevel: isInverted)
        if isInverted { flush() } else { append(Op(.sectionEnd, a: UInt32(start))) }
        builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
      case .pluralCase(let choice, let content, let at): writeCase(of: choice, content, at: at)
      case .truthy(let name, let attribute, let at):
        note(CellPart(role: .variable, name: name.text, element: attribute, escaper: .attribute, at: at))
        let start = append(Op(.truthy, a: builder.path(name), c: slot()))
        pending += Array(attribute.utf8)
        end(at: start)
      case .call(let call, let context):
        writeCall(call, context)
      case .include(let call, let context, let isBeside): writeInclude(call, context, isBeside: isBeside)
      case .parent(let call, let context, let overrides):
        writeParent(call, context, tree.overrides[overrides])
      case .outlet(let outlet):
        writeOutlet(outlet)
      case .bind(let bind):
        writeBind(bind)
      case .presence(let bind, let content):
        let isElement = bind.form != .item && bind.form != .piece
        let start = writePresence(bind)
        let outerPolicy = countPolicy
        if bind.form == .count { countPolicy = MissingPolicy.Own(rawValue: judgedPolicy) }
        if isElement { goingElements += 1 }
        if bind.form == .count { writeElement(of: bind, content) } else { write(content) }
        if isElement { goingElements -= 1 }
        countPolicy = outerPolicy
        end(at: start)
      case .machine(let format): append(Op(.machine, a: outlet, b: builder.format(format), c: slot()))
      case .listWords(let format, let isBehind):
        append(Op(.listWords, a: builder.format(format), b: isBehind ? 1 : 0))
      case .bound(let path, let escaper, let format, let isBeside, let attribute, let at):
        noteCurrencies(of: format, as: .bound, element: attribute, at: at)
        note(
          CellPart(
            role: .bound, name: path.text, element: attribute, entry: isBeside ? noIndex : judgedPolicy,
            escaper: escaper, format: format, at: at))
        append(
          Op(
            isBeside ? .boundBeside : .bound, a: builder.path(path),
            b: Op.value(escaper, MissingPolicy.Own(missing), format: builder.format(format)), c: slot()))
      case .listItem(let opening, let separator, let goesOn):
        let literal = builder.literal(opening)
        append(
          Op(.listItem, a: literal.offset, b: literal.count, c: Op.listItem(separator, goesOn: goesOn)))
      case .listBreak: append(Op(.listBreak))
      case .listEnd: append(Op(.listEnd))
      case .blind(let isInverted, let content):
        let start = append(Op(.blind, a: isInverted ? 1 : 0))
        write(content)
        end(at: start)
      case .conditions(let conditions, let isBeside, let content, let at):
        writeConditions(conditions, isBeside: isBeside, content, at: at)
      case .missing(let policy, let content):
        let outer = missing
        missing = policy
        write(content)
        missing = outer
      case .block(let block):
        let part = note(CellPart(role: .block, name: block.name, at: block.at))
        let entry = BlockEntry(
          name: builder.name(block.name), place: linker.number(of: block.place),
          opensLine: block.opensLine ? 1 : 0, indentation: literal(block.indentation))
        builder.tables.blocks.append(entry)
        let start = append(Op(.block, a: UInt32(builder.tables.blocks.count - 1)))
        write(block.content, in: part, isTopLevel: true)
        flush()
        builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
      }
    }
  }

  /// Writes the contents of a part.
  mutating func write(_ nodes: [CellNode], in part: Int, isTopLevel isSameContext: Bool) {
    let outer = (parent, isTopLevel)
    parent = part
    isTopLevel = isTopLevel && isSameContext
    write(nodes)
    (parent, isTopLevel) = outer
  }

  /// Adds a part. Returns its index.
  @discardableResult
  mutating func note(_ part: CellPart) -> Int {
    var part = part
    part.parent = parent
    if part.role == .outlet || part.role == .taggedOutlet { part.isTopLevel = isTopLevel }
    parts.append(part)
    return parts.count - 1
  }

  /// Adds a part for each name of a currency that a format reads, in any locale.
  mutating func noteCurrencies(
    of format: WrittenFormat?, as role: PartEntry.Role, element: String = "", at: Int
  ) {
    guard let format else { return }
    var names: Set<MustacheName> = []
    for format in format.everywhere where linker.budget.spend() {
      guard let name = format.currencyName.map({ MustacheName(segments: $0) }), names.insert(name).inserted,
        linker.budget.keep(pieces: 1)
      else { continue }
      note(CellPart(role: role, name: name.text, element: element, escaper: .html, at: at))
    }
  }

  /// Adds a part for a call: a static one with its role, one with a dynamic name as `dynamic`.
  @discardableResult
  private mutating func note(
    _ call: MustacheCall, as role: PartEntry.Role, isJudged: Bool = false
  ) -> Int {
    switch call.target {
    case .kind(let kind): note(CellPart(role: role, name: kind, at: call.at))
    case .dynamic(let name):
      note(
        CellPart(role: .dynamic, name: name.text, entry: isJudged ? judgedPolicy : noIndex, at: call.at))
    }
  }

  /// The policy of a name that is judged wherever it is reached; `noIndex` where its element may go before.
  private var judgedPolicy: UInt32 {
    goingElements == 0 ? MissingPolicy.Own(missing).rawValue : noIndex
  }

  private mutating func writeCall(_ call: MustacheCall, _ context: KeptContext) {
    note(call, as: .partial)
    let entry = callEntry(call, context)
    holeCount += 1
    if entry.program == noIndex, entry.dynamicPath == noIndex { return }
    builder.tables.calls.append(entry)
    let isDynamic = entry.dynamicPath != noIndex
    append(Op(.call, a: UInt32(builder.tables.calls.count - 1), c: isDynamic ? slot() : noIndex))
  }

  private mutating func writeInclude(_ call: MustacheCall, _ context: KeptContext, isBeside: Bool) {
    note(call, as: .partial, isJudged: !isBeside)
    let entry = callEntry(call, context)
    outletCount += 1
    holeCount += 1
    if entry.program == noIndex, entry.dynamicPath == noIndex { return }
    builder.tables.calls.append(entry)
    append(
      Op(
        .include, a: UInt32(builder.tables.calls.count - 1),
        b: Op.include(isBeside: isBeside, MissingPolicy.Own(missing)),
        c: entry.dynamicPath != noIndex ? slot() : noIndex))
  }

  private mutating func writeParent(_ call: MustacheCall, _ context: KeptContext, _ overrides: [CellOverride])
  {
    let part = note(call, as: .parent)
    var entry = callEntry(call, context)
    holeCount += 1
    if entry.program == noIndex, entry.dynamicPath == noIndex { return }
    // Bodies first: they may contain parents, whose overrides must not come between these.
    let callIndex = builder.tables.calls.count
    builder.tables.calls.append(entry)
    let isDynamic = entry.dynamicPath != noIndex
    let start = append(Op(.parent, a: UInt32(callIndex), c: isDynamic ? slot() : noIndex))
    var entries: [OverrideEntry] = []
    let outerMarks = marksLines
    marksLines = true
    for override in overrides {
      entries.append(
        OverrideEntry(
          blockName: builder.name(override.name), place: linker.number(of: override.place),
          bodyStart: UInt32(builder.tables.ops.count), startsLine: override.startsLine ? 1 : 0))
      write(override.content, in: part, isTopLevel: true)
      append(Op(.bodyEnd))
    }
    marksLines = outerMarks
    entry.overrideStart = UInt32(builder.tables.overrides.count)
    entry.overrideCount = UInt32(entries.count)
    builder.tables.overrides += entries
    builder.tables.calls[callIndex] = entry
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }

  private mutating func callEntry(_ call: MustacheCall, _ context: KeptContext) -> CallEntry {
    let indentation = call.standsAlone ? literal(call.indentation) : .empty
    let isIndented = call.standsAlone && (marksLines || indentation.count > 0)
    var entry = CallEntry(
      program: noIndex, dynamicPath: noIndex, isIndented: isIndented ? 1 : 0, indentation: indentation,
      overrideStart: 0, overrideCount: 0, isHTML: template.source.mode == .html ? 1 : 0)
    switch call.target {
    case .kind(let kind):
      if partialsSeen.insert(ExactString(kind)).inserted { partials.append(kind) }
      if let callee = linker.template(ofKind: kind) {
        let key = ProgramLinker.Key(template: callee, context: context, marksLines: isIndented)
        entry.program = linker.program(key)
      }
    case .dynamic(let name):
      entry.dynamicPath = builder.path(name)
    }
    return entry
  }

  private func literal(_ range: Range<Int>) -> LiteralRef {
    builder.literal(Array(template.source.bytes[range]))
  }

  mutating func slot() -> UInt32 {
    slotCount += 1
    return slotCount - 1
  }

  @discardableResult
  mutating func append(_ op: Op) -> Int {
    splitPending()
    var op = op
    op.literal = builder.literal(pending)
    pending.removeAll(keepingCapacity: true)
    switch OpCode(rawValue: op.code) {
    case .outlet, .bind, .bound, .presence: outletCount += 1
    case .condition: conditionCount += 1
    default: break
    }
    let isText = [OpCode.lineStart, .literal, .listWords].contains { $0.rawValue == op.code }
    if !isText { holeCount += 1 }
    builder.tables.ops.append(op)
    return builder.tables.ops.count - 1
  }

  /// Writes all pending bytes but the last into literals of their own, if they are too many for one. Divides no character.
  private mutating func splitPending() {
    var start = 0
    while pending.count - start > Self.literalBytes {
      var end = start + Self.literalBytes
      while pending[end] & 0xC0 == 0x80 { end -= 1 }
      builder.tables.ops.append(Op(.literal, literal: builder.literal(Array(pending[start..<end]))))
      start = end
    }
    if start > 0 { pending.removeFirst(start) }
  }

  /// Ends what an operation may jump over.
  mutating func end(at start: Int) {
    flush()
    builder.tables.ops[start].b = UInt32(builder.tables.ops.count)
  }

  /// Writes the pending bytes before the target of a jump.
  mutating func flush() {
    if !pending.isEmpty { append(Op(.literal)) }
  }
}
