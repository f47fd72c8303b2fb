import Cells
import CellTemplates
import Glibc

/// Reads a request's body into the rows it holds.
///
/// What the parser needs is reserved from the budget while the body is held; `finish` gives both back.
final class BodyReader {
  private let depthLimit: Int
  private let budget: MemoryBudget
  private var reservedBytes = 0

  init(depthLimit: Int, budget: MemoryBudget) {
    self.depthLimit = depthLimit
    self.budget = budget
  }

  /// Forgets what was parsed; tapes over it are no longer valid.
  func finish(_ factory: isolated CellFactory) {
    factory.forgetRows()
    budget.release(reservedBytes)
    reservedBytes = 0
  }

  /// Reads rows of one kind.
  func rows(
    ofKind kind: UInt32, in body: inout ByteBuffer, type: BodyType, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch {
    if type == .form { try decodeForm(&body) }
    try reserve(JSONParser.estimatedBytes(forTextOf: body.count, depthLimit: depthLimit))
    if type == .ndjson {
      return Batch(
        rows: .lines(try parseLines(of: &body, factory)), content: .data(kind: kind), layout: .list)
    }
    let root = try parse(&body, factory)
    if factory.parser.tape(over: body).kind(root) == .array {
      return Batch(rows: .elements(of: root), content: .data(kind: kind), layout: .list)
    }
    return Batch(rows: .one(root), content: .data(kind: kind), layout: .single)
  }

  /// Reads items of any kind: an array, an envelope, one item, or a line for each.
  func items(
    in body: inout ByteBuffer, type: BodyType, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch {
    try reserve(JSONParser.estimatedBytes(forTextOf: body.count, depthLimit: depthLimit))
    var batch = try itemBatch(in: &body, type: type, factory)
    var empty = ByteBuffer(capacity: 2)
    empty.append("{}")
    // Its node has no text of its own, so it may stand on the body's tape.
    batch.emptyObject = try parse(&empty, factory)
    return batch
  }

  private func itemBatch(
    in body: inout ByteBuffer, type: BodyType, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch {
    if type == .ndjson {
      return Batch(rows: .lines(try parseLines(of: &body, factory)), content: .items, layout: .list)
    }
    let root = try parse(&body, factory)
    let tape = factory.parser.tape(over: body)
    switch tape.kind(root) {
    case .array: return Batch(rows: .elements(of: root), content: .items, layout: .list)
    case .object where tape.value(named: ReservedName.rows, in: root) != nil:
      return try Envelope(root, on: tape).batch()
    default: return Batch(rows: .one(root), content: .items, layout: .single)
    }
  }

  // MARK: Parsing

  private func reserve(_ bytes: Int) throws(Problem) {
    guard budget.reserve(bytes) else { throw .busy }
    reservedBytes += bytes
  }

  private func decodeForm(_ body: inout ByteBuffer) throws(Problem) {
    try reserve(FormFields.estimatedBytes(of: body.bytes))
    body = try FormFields.json(of: body.bytes, depthLimit: depthLimit)
  }

  private func parse(_ body: inout ByteBuffer, _ factory: isolated CellFactory) throws(Problem)
    -> JSONTape.Index
  {
    do throws(JSONFault) {
      return try factory.parser.parse(
        &body, in: 0..<body.count, names: factory.names, depthLimit: depthLimit)
    } catch {
      let place = lineAndColumn(of: error.offset, in: body.bytes)
      throw Problem(error, line: place.line, column: place.column)
    }
  }

  /// Parses every line that is not blank; what is no JSON is kept as a bad line.
  private func parseLines(of body: inout ByteBuffer, _ factory: isolated CellFactory) throws(Problem)
    -> [Batch.Line]
  {
    // Places in the text are 32 bits wide.
    guard body.count <= JSONParser.textLimitBytes else {
      throw Problem(.bodyTooLarge, detail: "NDJSON of more than \(JSONParser.textLimitBytes) bytes")
    }
    var lines: [Batch.Line] = []
    var reservedLines = 0
    var number: UInt32 = 0
    var start = 0
    while start < body.count {
      number += 1
      let end = Self.lineEnd(in: body.bytes, from: start)
      defer { start = end + 1 }
      if Self.isBlank(body.bytes, start..<end) { continue }
      if lines.count == reservedLines {
        let added = max(reservedLines, 1024)
        try reserve(added * MemoryLayout<Batch.Line>.stride)
        reservedLines += added
      }
      let root = try? factory.parser.parse(
        &body, in: start..<end, names: factory.names, depthLimit: depthLimit)
      lines.append(
        Batch.Line(root: root ?? noIndex, number: number, start: UInt32(start), end: UInt32(end)))
    }
    return lines
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    // The search stays inside the body: `start` is one of its places, and the count is what is left.
    guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
      return bytes.count
    }
    return found - UnsafeMutableRawPointer(mutating: base)
  }

  private static func isBlank(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
