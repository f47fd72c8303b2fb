import CellTemplates

/// Checks sample rows against their kind's schema, by rendering them, and against the template's names.
struct SampleCheck {
  private let sample: TemplateFolder.Sample
  private let kind: UInt32
  private let rows: [JSONTape.Index]
  private let tape: JSONTape
  private let shape: DataShape
  private let budget: LoadBudget
  private lazy var lines = LineIndex(sample.bytes)
  private var diagnostics: [Diagnostic] = []
  /// What the schema refuses, as far as it is reported: rows, and values in them.
  private var refused: Set<JSONTape.Index> = []
  /// The rows that cannot be rendered.
  private var bad: Set<JSONTape.Index> = []

  /// After this many rows that cannot be rendered, the rest are skipped.
  static let badRowLimit = 100

  /// - Parameters:
  ///   - broken: the kinds with errors. Their samples are checked only for their form, because the meaning of
  ///     the template is uncertain.
  ///   - shapes: the data shapes of all kinds.
  ///   - texts: the templates of text cells by kind.
  ///   - budget: the work the check may do.
  /// - Returns: the findings and the number of rows.
  static func run(
    _ sample: TemplateFolder.Sample, broken: Set<String>, shapes: DataShape, texts: [String: TemplateSource],
    budget: LoadBudget, with factory: isolated CellFactory
  ) -> (diagnostics: [Diagnostic], rows: Int) {
    let isBroken = broken.contains(sample.kind)
    let kind = factory.archive.kindNumber(sample.kind)
    guard kind != nil || isBroken else {
      let warning = Diagnostic(
        .sampleWithoutKind, file: sample.file, line: 1, column: 1,
        message: "there is no cell of kind \"\(sample.kind)\"",
        hint: factory.archive.kind(near: sample.kind).map { "did you mean \($0).sample.json?" }
          ?? "name it like the template it belongs to, or remove it")
      return ([warning], 0)
    }
    var text = ByteBuffer(capacity: sample.bytes.count)
    text.append(sample.bytes)
    factory.forgetRows()
    let root: JSONTape.Index
    do throws(JSONFault) {
      root = try factory.parser.parse(
        &text, in: 0..<text.count, names: factory.names, depthLimit: JSONParser.defaultDepthLimit)
    } catch {
      let position = lineAndColumn(of: error.offset, in: text.bytes)
      let fault = Diagnostic(
        .invalidSample, file: sample.file, line: position.line, column: position.column,
        message: "invalid JSON: \(error.reason)", hint: "write an array of rows")
      return ([fault], 0)
    }
    let tape = factory.parser.tape(over: text)
    guard tape.kind(root) == .array else {
      let fault = Diagnostic(
        .invalidSample, file: sample.file, line: 1, column: 1, message: "sample rows must be an array",
        hint: "put the row in brackets: [ … ]")
      return ([fault], 0)
    }
    guard let kind, !isBroken else { return ([], 0) }
    var check = SampleCheck(
      sample: sample, kind: kind, rows: tape.elements(of: root), tape: tape,
      shape: shapes.shape(of: kind), budget: budget)
    check.compare(root: root)
    check.render(with: factory)
    check.review(texts: texts)
    return (check.diagnostics, check.rows.count)
  }

  private init(
    sample: TemplateFolder.Sample, kind: UInt32, rows: [JSONTape.Index], tape: JSONTape, shape: DataShape,
    budget: LoadBudget
  ) {
    self.sample = sample
    self.kind = kind
    self.rows = rows
    self.tape = tape
    self.shape = shape
    self.budget = budget
  }

  private mutating func render(with factory: isolated CellFactory) {
    let misfits = MisfitNotes()
    factory.memo.misfits = misfits
    // A kind that depends on no locale is rendered once.
    let tags = factory.archive.localeTags(of: kind)
    render(in: nil, with: factory)
    for tag in tags.dropFirst() where !budget.isSpent { render(in: tag, with: factory) }
    for misfit in misfits.found { report(misfit) }
  }

  /// Renders the rows in a locale; nil for the kind's own.
  private mutating func render(in tag: String?, with factory: isolated CellFactory) {
    if let tag = tag.flatMap({ LocaleTag($0) }) {
      var setting = RenderSetting()
      setting.locales = ReaderLocales([tag])
      factory.use(setting, for: kind)
    }
    let cell = factory.dequeueReusableCell(ofKind: kind)
    defer { factory.enqueue(cell) }
    for (position, row) in rows.enumerated() where budget.spend(1 + Int(tape.end(row) - row)) {
      if refused.contains(row) || bad.contains(row) { continue }
      do throws(RenderFault) {
        try render(cell, RowContext(row: row, index: position, count: rows.count), with: factory)
      } catch {
        if budget.isSpent { return }
        bad.insert(row)
        if bad.count > Self.badRowLimit { return }
        let isLast = bad.count == Self.badRowLimit && position + 1 < rows.count
        report(
          .badSampleRow, at: row,
          "row \(position) cannot be rendered\(tag.map { " in \($0)" } ?? ""): \(error.description)"
            + (isLast ? "; after \(bad.count) such rows, the rest are skipped" : ""),
          hint: "fix the row or the template")
        if isLast { return }
      }
    }
  }

  private mutating func report(_ misfit: MisfitNotes.Misfit) {
    let format = shape.archive.tables.$formats[Int(misfit.format)]
    let hint =
      switch format.knownKind.takes {
      case .number where format.currencyPath != noIndex:
        "write a number, and three capital letters where its currency is named"
      case .number: "write a number: 12.5 or \"12.50\""
      case .date:
        format.has(.epochSeconds) || format.has(.epochMilliseconds)
          ? "write a number, counted from 1970" : "write a date: 2025-10-09 or 2025-10-09T22:30:00Z"
      case .list: "write a list of texts"
      case .text: "write a text"
      }
    report(
      .sampleMisfit, at: misfit.value,
      "the value does not fit the format \"\(NameRule.shown(Array(shape.archive.bytes(format.text))))\", and is printed as it is",
      hint: hint)
  }

  /// How long a row is rendered before the budget's clock is asked.
  private static let microsecondsPerLook = 10_000

  /// Renders a row, and asks the budget's clock in between, because one row may take long.
  /// - Throws: a fault of the row; `.paused` if the budget is spent.
  private func render(_ cell: Cell, _ context: RowContext, with factory: isolated CellFactory)
    throws(RenderFault)
  {
    let limits = RenderLimits()
    // They are for one request, and no request renders all rows in all locales.
    factory.iterations = 0
    cell.buffer.truncate(to: 0)
    var paused: PausedRow?
    while true {
      factory.rowPause = RowPause(afterMicroseconds: Self.microsecondsPerLook)
      do throws(RenderFault) {
        if let paused {
          try factory.resume(paused, cell, context, on: tape, limits: limits, into: &cell.buffer)
        } else {
          try factory.render(cell, context, on: tape, limits: limits, into: &cell.buffer)
        }
        budget.spend(cell.buffer.count)
        return
      } catch {
        guard case .paused = error else { throw error }
        paused = factory.takePausedRow()
        guard budget.look() else { throw error }
      }
    }
  }

  /// The index of a node among the rows, which are in the tape's order; nil if it is no row.
  private func rowIndex(of node: JSONTape.Index) -> Int? {
    var indices = 0..<rows.count
    while indices.count > 1 {
      let middle = (indices.lowerBound + indices.upperBound) / 2
      indices = rows[middle] <= node ? middle..<indices.upperBound : indices.lowerBound..<middle
    }
    return indices.first.flatMap { rows[$0] == node ? $0 : nil }
  }

  private mutating func compare(root: JSONTape.Index) {
    let faults = ShapeCheck.faults(in: rows, on: tape, shape, kind: kind, budget: budget)
    let uses = shape.archive.rowUses(of: kind)
    refused = Set(faults.first)
    for (number, fault) in faults.first.enumerated() {
      let rest = faults.count - faults.first.count
      let isLast = rest > 0 && number + 1 == faults.first.count
      let more = isLast ? "; so do \(rest) more values" : ""
      if let row = rowIndex(of: fault) {
        let reason =
          uses.fault(of: fault, on: tape)?.description ?? "it lacks names that the template requires"
        report(
          .sampleMismatch, at: fault, "row \(row) cannot be rendered: \(reason)" + more,
          hint: "write what the template reads: GET /schemas/KIND describes it")
        continue
      }
      if tape.kind(fault) == .object {
        let reason =
          tape.isItem(fault)
          ? "is an item, but the row of an included cell is the item's data alone"
          : "lacks names that the template requires"
        report(
          .sampleMismatch, at: fault, "\(path(from: root, to: fault)) \(reason)" + more,
          hint: "write what the template reads: GET /schemas/KIND describes it")
        continue
      }
      report(
        .sampleMismatch, at: fault,
        "\(path(from: root, to: fault)) is \(Self.words[tape.kind(fault)] ?? "a scalar"), "
          + "but the template looks up names in it" + more,
        hint: "write an object; null and false mean nothing")
    }
  }

  private static let words: [JSONKind: String] = [
    .string: "a string", .number: "a number", .array: "an array",
  ]

  private mutating func review(texts: [String: TemplateSource]) {
    let findings = SampleReview.findings(in: rows, on: tape, shape, kind: kind, budget: budget)
    for (name, node) in findings.lacking {
      let level = shape.levels[name.level]
      let member = level.members[name.member]
      let isRow = shape.roots[level.kind] == name.level
      let inside = isRow ? "" : " in \"\(Self.text(level.name))\""
      report(
        .sampleLacksName, at: node,
        "no row has \"\(Self.text(member.name))\"\(inside), "
          + "which the cell \"\(kindName(level.kind))\" uses at \(member.line):\(member.column)",
        hint: "give at least one row a value for it")
    }
    for key in findings.unused {
      report(
        .unusedSampleName, at: key, "the template never uses \"\(Self.text(Array(tape.bytes(key))))\"",
        hint: "fix the name or remove it")
    }
    var writesMarkup: [UInt32: Bool] = [:]
    for (name, value) in findings.escaped {
      let level = shape.levels[name.level]
      let member = level.members[name.member]
      guard let source = texts[kindName(level.kind)] else { continue }
      // Each template is searched once, however many names it has.
      let isMarkup = writesMarkup[level.kind] ?? Self.writesMarkup(source)
      writesMarkup[level.kind] = isMarkup
      if isMarkup { continue }
      let text = Self.text(member.name)
      let position = position(of: value)
      diagnostics.append(
        Diagnostic(
          .escapedText, file: source.file, line: member.line, column: member.column,
          message:
            "\"\(text)\" is HTML-escaped although this is a text cell: \(sample.file):\(position.line):\(position.column) "
            + "would look different",
          hint: "use triple braces"))
    }
  }

  /// Whether a text cell contains tags, as a feed does; then escaping its values is correct.
  private static func writesMarkup(_ source: TemplateSource) -> Bool {
    zip(source.bytes, source.bytes.dropFirst()).contains { first, second in
      guard first == UInt8(ascii: "<") else { return false }
      let letter = second | 0x20
      return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || "/!?".utf8.contains(second)
    }
  }

  // MARK: Places

  private mutating func report(
    _ code: DiagnosticCode, at node: JSONTape.Index, _ message: String, hint: String
  ) {
    let position = position(of: node)
    diagnostics.append(
      Diagnostic(
        code, file: sample.file, line: position.line, column: position.column, message: message, hint: hint))
  }

  /// The position of a value or key in the sample's original bytes; parsing modified the copy.
  private mutating func position(of node: JSONTape.Index) -> (line: Int, column: Int) {
    // The offset of a string or key is after its quote.
    let isQuoted = tape.kind(node) == .string || tape.kind(node) == .key
    let offset = tape.offset(node) - (isQuoted ? 1 : 0)
    return lines.position(of: offset)
  }

  /// `/2/author`
  private func path(from root: JSONTape.Index, to node: JSONTape.Index) -> String {
    var budget = 100_000
    var finder = JSONTape.PathFinder(from: root, to: node, on: tape)
    guard finder.find(on: tape, budget: &budget) else { return "this" }
    return finder.parts.map { part in
      switch part {
      case .element(let position): "/\(position)"
      case .member(let name): "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
      }
    }.joined()
  }

  private func kindName(_ kind: UInt32) -> String {
    shape.archive.text(shape.archive.entry(ofKind: kind).name)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
