import CellTemplates
import Testing

@testable import Cells

/// Compiles templates and renders rows for tests, on the calling thread.
struct RenderHarness {
  let factory: CellFactory

  /// - Parameter templates: paths in the folder, with their texts: `["news.mustache": "…"]`.
  init(_ templates: [String: String], reuse: ReusePolicy = ReusePolicy()) throws {
    self.init(archive: try Self.archive(templates), reuse: reuse)
  }

  init(archive: CellArchive, reuse: ReusePolicy = ReusePolicy()) {
    factory = CellFactory(archive: archive, reuse: reuse, executor: InlineExecutor())
  }

  /// - Parameter samples: sample rows by kind, as JSON.
  static func archive(
    _ templates: [String: String], samples: [String: String] = [:], assets: [String: String] = [:],
    assetsURL: String? = nil
  ) throws -> CellArchive {
    let nibs = templates.filter { $0.key.hasSuffix(".html") }.map { file, text in
      TemplateSource(file: file, kind: String(file.dropLast(5)), mode: .html, bytes: Array(text.utf8))
    }
    let sources = templates.filter { !$0.key.hasSuffix(".html") }.map { source($0.key, $0.value) }
    var options = AssetOptions()
    options.url = assetsURL
    let files = NibFiles { path throws(NibFiles.Fault) in
      guard let text = assets[path] else { throw .missing }
      return Array(text.utf8)
    }
    return try TemplateCompiler.compile(
      sources, nibs: nibs, assets: AssetSource(files: files, options),
      samples: samples.compactMapValues { SampleLearner.types(of: Array($0.utf8)) }
    ).archive
  }

  static func source(_ file: String, _ text: String) -> TemplateSource {
    let isText = file.hasSuffix(".txt.mustache")
    let kind = String(file.dropLast(isText ? 13 : 9))
    return TemplateSource(file: file, kind: kind, mode: isText ? .text : .html, bytes: Array(text.utf8))
  }

  /// The rows of `json`, one after another, through the public API.
  func render(_ kind: String, _ json: String) throws -> String {
    try factory.assumeIsolated { factory throws in try factory.render(kind, rows: json) }.joined()
  }

  /// The result of a row.
  enum Outcome: Equatable, CustomStringConvertible {
    case rendered([UInt8])
    case tooDeep(kind: String, limit: Int)
    case tooFarIndented(kind: String, limit: Int)
    case tooMuchWork(limit: Int)
    case outputTooLarge(limit: Int)
    case missing([String])
    case notAnObject(JSONKind)
    case item
    case notIncluded(String)

    static func rendered(_ text: String) -> Outcome { .rendered(Array(text.utf8)) }

    init(_ fault: RenderFault) {
      switch fault {
      case .tooDeep(let kind, let limit): self = .tooDeep(kind: kind, limit: limit)
      case .tooFarIndented(let kind, let limit): self = .tooFarIndented(kind: kind, limit: limit)
      case .tooMuchWork(let limit): self = .tooMuchWork(limit: limit)
      case .outputTooLarge(let limit): self = .outputTooLarge(limit: limit)
      case .missing(let names, _):
        self = .missing(names.map { $0.isOfOwner ? "the owner's \($0.name)" : $0.name })
      case .notAnObject(let kind): self = .notAnObject(kind)
      case .item: self = .item
      case .notIncluded(let kind, _, _): self = .notIncluded(kind)
      case .paused: preconditionFailure("nobody asked for a pause")
      }
    }

    var description: String {
      switch self {
      case .rendered(let bytes): "rendered \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      case .tooDeep(let kind, let limit): "too deep at \(kind), limit \(limit)"
      case .tooFarIndented(let kind, let limit): "too far indented at \(kind), limit \(limit)"
      case .tooMuchWork(let limit): "more than \(limit) turns"
      case .outputTooLarge(let limit): "larger than \(limit)"
      case .missing(let names): "missing \(names)"
      case .notAnObject(let kind): "not an object but \(kind)"
      case .item: "an item"
      case .notIncluded(let kind): "no row for \(kind)"
      }
    }
  }

  /// What rows become that are rendered one after another, like by an event loop: the first is row `position` of `count`.
  func outcomes(
    _ kind: String, _ rows: String..., owner: String? = nil, position: Int = 0, count: Int = 1,
    limits: RenderLimits = RenderLimits()
  ) throws -> [Outcome] {
    try outcomes(rows.map { (kind, $0) }, owner: owner, position: position, count: count, limits: limits)
  }

  /// The values of a kind's top-level outlets.
  func outlets(of kind: UInt32, _ row: String, pauses: Bool = false) -> (json: [UInt8], parts: Int) {
    factory.assumeIsolated { factory in
      var text = ByteBuffer()
      text.append(text: row)
      factory.forgetRows()
      defer { factory.forgetRows() }
      guard
        let root = try? factory.parser.parse(&text, in: 0..<text.count, names: factory.names, depthLimit: 512)
      else {
        return ([], 0)
      }
      var json = ByteBuffer()
      let context = RowContext(row: root, index: 0, count: 1, owner: root)
      var limits = RenderLimits()
      (limits.outputBytes, limits.iterations) = (10_000, 10_000)
      let tape = factory.parser.tape(over: text)
      let printer = factory.outletPrinter(ofKind: kind, context, on: tape, limits: limits)
      // Parts must be the same as the whole.
      if pauses { factory.rowPause = RowPause(atMicroseconds: 0) }
      var parts = 1
      while let isComplete = try? printer.print(on: tape, to: &json), !isComplete { parts += 1 }
      return (Array(json.bytes), parts)
    }
  }

  /// Renders a row, pausing at every opportunity, and rows of other cells in between. Returns the output and the number
  /// of pauses.
  /// - Parameter inPieces: whether the output is taken away at each pause.
  func renderPausing(
    _ kind: String, _ json: String, owner: String = "{}", limits: RenderLimits = RenderLimits(),
    inPieces: Bool = false,
    beside other: (kind: String, json: String) = ("page", #"{"a":2,"l":[1],"m":[2]}"#)
  ) throws -> (outcome: Outcome, pauses: Int) {
    try factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: json + "\n" + owner)
      factory.forgetRows()
      let root = try factory.parse(&text, in: 0..<json.utf8.count, depthLimit: 512)
      let ownerRoot = try factory.parse(&text, in: (json.utf8.count + 1)..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      let context = RowContext(row: root, index: 0, count: 1, owner: ownerRoot)
      let cell = factory.dequeueReusableCell(ofKind: try #require(factory.archive.kindNumber(kind)))
      defer { factory.enqueue(cell) }
      let rows = factory.keepRows()
      var output = ByteBuffer()
      var rendered: [UInt8] = []
      var paused: PausedRow?
      var pauses = 0
      while true {
        factory.exchangeRows(with: rows)
        defer { factory.exchangeRows(with: rows) }
        factory.rowPause = RowPause(atMicroseconds: 0)
        var limits = limits
        limits.outputBytes -= rendered.count
        do throws(RenderFault) {
          if let row = paused.take() {
            try factory.resume(row, cell, context, on: tape, limits: limits, into: &output)
          } else {
            try factory.render(cell, context, on: tape, limits: limits, into: &output)
          }
          return (.rendered(rendered + Array(output.bytes)), pauses)
        } catch {
          guard case .paused = error else { return (Outcome(error), pauses) }
          paused = factory.takePausedRow()
          pauses += 1
        }
        if inPieces {
          rendered += Array(output.bytes)
          output.truncate(to: 0)
        }
        factory.exchangeRows(with: rows)
        _ = try outcomes(other.kind, other.json)
        factory.exchangeRows(with: rows)
      }
    }
  }

  func outcomes(
    _ rows: [(kind: String, json: String)], owner: String? = nil, position: Int = 0, count: Int = 1,
    limits: RenderLimits = RenderLimits()
  ) throws -> [Outcome] {
    try outcomesAndMissing(rows, owner: owner, position: position, count: count, limits: limits).outcomes
  }

  /// The same, and what the rows have not found.
  func outcomesAndMissing(
    _ rows: [(kind: String, json: String)], owner: String? = nil, position: Int = 0, count: Int = 1,
    limits: RenderLimits = RenderLimits()
  ) throws -> (outcomes: [Outcome], tally: ValueTally) {
    try factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      for part in rows.map(\.json) + [owner ?? "{}"] { text.append(text: part + "\n") }
      factory.forgetRows()
      defer { factory.forgetRows() }
      var start = 0
      var roots: [JSONTape.Index] = []
      for part in rows.map(\.json) + [owner ?? "{}"] {
        let end = start + part.utf8.count
        roots.append(
          try factory.parser.parse(&text, in: start..<end, names: factory.names, depthLimit: 512))
        start = end + 1
      }
      let tape = factory.parser.tape(over: text)
      var outcomes: [Outcome] = []
      for (offset, row) in rows.enumerated() {
        let number = try #require(factory.archive.kindNumber(row.kind))
        let cell = factory.dequeueReusableCell(ofKind: number)
        defer { factory.enqueue(cell) }
        let context = RowContext(
          row: roots[offset], index: position + offset, count: count,
          owner: owner == nil ? nil : roots[rows.count])
        do throws(RenderFault) {
          try factory.render(cell, context, on: tape, limits: limits, into: &cell.buffer)
          // A plan may print a row's last value beyond the limit, which callers must check.
          if cell.buffer.count > limits.outputBytes {
            cell.buffer.truncate(to: 0)
            throw .outputTooLarge(limit: limits.outputBytes)
          }
          outcomes.append(.rendered(Array(cell.buffer.bytes)))
        } catch {
          let leftCount = cell.buffer.count
          #expect(leftCount == 0, "a fault leaves the output as it was")
          outcomes.append(Outcome(error))
        }
      }
      return (outcomes, factory.valueTally)
    }
  }
}
