import Cells
import CellTemplates

/// Reads a request's body into rows.
///
/// Reserves the parser's memory from the budget while the body is held. `finish` releases both, or `release`
/// if the rows were kept.
struct BodyReader: ~Copyable {
  let content: Batch.Content
  let depthLimit: Int
  let budget: MemoryBudget
  var reservedBytes = 0
  /// Length of the body as received; its memory is held and counted elsewhere.
  private var bodyBytes = 0
  /// What the JSON of a form takes beyond the form, whose bytes are counted with the body that it replaced.
  private var formJSONBytes = 0
  /// The memory that the request holds so far.
  var heldBytes: Int { bodyBytes + reservedBytes }
  /// For a body that is read in slices.
  var ticket: MemoryBudget.Ticket?
  /// Time spent reading so far, if reading is done in slices.
  var nanoseconds = 0
  /// The next step, if the body is read in slices.
  private var step: Step?
  /// The lines of NDJSON read so far, and the start of the next line; nil if the body is something else.
  var lines: LineList?
  var lineNumber: UInt32 = 0
  var lineStart = 0
  /// How far the next line is known to be blank, if that is beyond its start.
  var blankEnd = 0
  /// The document that is read in parts: the whole body, or a long line of NDJSON.
  private var document = 0..<0

  /// The form fields being read, if the body is a form.
  private var form: FormReader?

  private enum Step {
    case form
    /// Waiting for memory used by other requests that read or make their answers.
    case waiting(isLines: Bool)
    case lines
    /// The steps for a document or a long line. Its tokens are found at once; the other steps work in parts.
    case beginning, finding, touching, parsing
    /// The text is an object that may be an envelope.
    case opening(Envelope, root: JSONTape.Index)
    /// The text is not JSON; the error is being located.
    case locating(JSONFaultFinder)
  }

  /// Bytes of text parsed between two clock readings.
  private static let parsedBytes = 256 << 10

  /// A longer line of NDJSON is read in parts.
  static let longLineBytes = 64 << 10

  /// Memory touched between two clock readings.
  private static let touchedBytes = 256 << 10

  init(_ content: Batch.Content, depthLimit: Int, budget: MemoryBudget) {
    self.content = content
    self.depthLimit = depthLimit
    self.budget = budget
  }

  /// Discards what was parsed; its tapes become invalid.
  mutating func finish(_ factory: isolated CellFactory) {
    factory.forgetRows()
    releaseReserved()
  }

  /// Releases memory needed only for parsing. All rows must have been read and kept. What they hold is charged: the parser may have
  /// been that of larger texts.
  mutating func trim(_ rows: KeptRows) {
    rows.trim()
    budget.release(reservedBytes)
    reservedBytes = rows.heldBytes + (lines?.heldBytes ?? 0) + formJSONBytes
    budget.charge(reservedBytes)
  }

  /// Releases the memory reserved for rows that were kept, whether or not all were read.
  mutating func release() {
    endReading()
    releaseReserved()
  }

  /// Lets the next waiting request read.
  func endReading() {
    if let ticket { budget.endReading(of: ticket) }
  }

  private mutating func releaseReserved() {
    budget.release(reservedBytes)
    reservedBytes = 0
  }

  /// Reads rows of one kind, or items of any kind: an array, a single one, an envelope, form fields, or one
  /// per line.
  /// - Parameters:
  ///   - fieldLimit: the most fields of a form.
  ///   - largeBytes: a longer text is parsed in slices.
  /// - Returns: nil if there is more to do; call `readOn`.
  mutating func read(
    _ body: inout ByteBuffer, type: BodyType, fieldLimit: Int, largeBytes: Int, _ slice: inout Slice,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Batch? {
    bodyBytes = body.count
    if type == .form {
      form = FormReader(depthLimit: depthLimit, fieldLimit: fieldLimit)
      step = .form
      if try !readForm(&body, &slice) { return nil }
    }
    if body.count > largeBytes {
      try wait(toRead: body, isLines: type == .ndjson)
      return nil
    }
    try reserve(estimate(for: body))
    if type == .ndjson {
      step = .lines
      return try readLines(of: &body, &slice, factory)
    }
    return try readDocument(&body, factory)
  }

  /// Continues for a slice.
  mutating func readOn(
    _ body: inout ByteBuffer, _ slice: inout Slice, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch? {
    switch step {
    case nil:
      preconditionFailure("the body has been read")
    case .form?:
      if try readForm(&body, &slice) { try wait(toRead: body, isLines: false) }
      return nil
    case .waiting(let isLines)?:
      // `wait` has set the ticket.
      switch budget.reserveReading(estimate(for: body), for: ticket!) {
      case .soon:
        return nil
      case .none:
        try checkFit(of: estimate(for: body))
        throw budget.overload.refuse(for: .rowMemory)
      case .reserved:
        reservedBytes += estimate(for: body)
        if isLines { step = .lines } else { begin(0..<body.count, of: body, factory) }
        return nil
      }
    case .lines?:
      return try readLines(of: &body, &slice, factory)
    case .beginning?:
      if touches(until: &slice, factory) { step = .finding }
      return nil
    case .finding?:
      factory.parser.prepare(&body, in: document, depthLimit: depthLimit)
      step = .touching
      return nil
    case .touching?:
      if touches(until: &slice, factory) { step = .parsing }
      return nil
    case .parsing?:
      repeat {
        switch factory.parsePart(&body, in: document, depthLimit: depthLimit, bytes: Self.parsedBytes) {
        case .more: continue
        case .root(let root):
          guard let lines else {
            guard let envelope = envelope(root, on: factory.tape(over: body), factory) else {
              return try batch(of: root, over: body, factory)
            }
            step = .opening(envelope, root: root)
            return nil
          }
          lines.append(line(document, root: root))
          step = .lines
          return nil
        case .refused:
          step = .locating(JSONFaultFinder(document, depthLimit: depthLimit))
          return nil
        }
      } while !slice.isOver()
      return nil
    case .opening(var envelope, let root)?:
      let tape = factory.tape(over: body)
      repeat {
        if envelope.read(Envelope.membersPerLook, on: tape) {
          return try batch(of: root, envelope, over: body, factory)
        }
      } while !slice.isOver()
      step = .opening(envelope, root: root)
      return nil
    case .locating(let finder)?:
      repeat {
        if finder.look(at: body, bytes: Self.parsedBytes) {
          let fault = finder.fault ?? .unexplained(at: document.lowerBound)
          guard let lines else { throw problem(fault, in: body) }
          lines.append(line(document, root: nil), fault: fault)
          step = .lines
          return nil
        }
      } while !slice.isOver()
      return nil
    }
  }

  /// Prepares to read a document in parts.
  mutating func begin(
    _ range: Range<Int>, of body: borrowing ByteBuffer, _ factory: isolated CellFactory
  ) {
    document = range
    factory.parser.begin(body, in: range)
    step = .beginning
  }

  /// Touches the memory that the parser will fill. Returns false if there is more.
  private func touches(until slice: inout Slice, _ factory: isolated CellFactory) -> Bool {
    while factory.parser.touch(Self.touchedBytes) > 0 { if slice.isOver() { return false } }
    return true
  }

  private func readDocument(
    _ body: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch {
    let root = try parse(&body, factory)
    let tape = factory.tape(over: body)
    var envelope = envelope(root, on: tape, factory)
    _ = envelope?.read(.max, on: tape)
    return try batch(of: root, envelope, over: body, factory)
  }

  /// The reader of a document that may be an envelope.
  private func envelope(
    _ root: JSONTape.Index, on tape: JSONTape, _ factory: isolated CellFactory
  ) -> Envelope? {
    let mayBeOne =
      switch content {
      case .items: tape.kind(root) == .object
      case .data(let kind): factory.archive.rowUses(of: kind).takeEnvelope && tape.isEnvelope(root)
      }
    return mayBeOne ? Envelope(root, on: tape) : nil
  }

  /// The batch of a document.
  /// - Parameter envelope: what was read of it, if it may be an envelope.
  private func batch(
    of root: JSONTape.Index, _ envelope: Envelope? = nil, over body: borrowing ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Batch {
    let tape = factory.tape(over: body)
    if let batch = try envelope?.batch(of: content, on: tape) {
      switch content {
      case .items: return try complete(batch, factory)
      case .data(let kind):
        try envelope?.check(isOf: kind, in: factory.archive, on: tape)
        return batch
      }
    }
    let batch =
      tape.kind(root) == .array
      ? Batch(rows: .elements(of: root), content: content, layout: .list)
      : Batch(rows: .one(root), content: content, layout: .single)
    guard case .items = content else { return batch }
    return try complete(batch, factory)
  }

  /// Completes a batch of items: those without data get an empty object.
  func complete(_ batch: consuming Batch, _ factory: isolated CellFactory) throws(Problem) -> Batch {
    var empty = ByteBuffer(capacity: 2)
    empty.append("{}")
    // The node has no text of its own, so it may be on the body's tape.
    batch.emptyObject = try parse(&empty, factory)
    return batch
  }

  // MARK: Parsing

  /// An upper bound of the memory for parsing the body, in bytes.
  private func estimate(for body: borrowing ByteBuffer) -> Int {
    JSONParser.estimatedBytes(forTextOf: body.count, depthLimit: depthLimit)
  }

  /// Throws if `bytes` more would not fit even if nothing else were held.
  private func checkFit(of bytes: Int) throws(Problem) {
    let needed = budget.heldBytes(ofRequestHolding: heldBytes) + bytes
    if needed > budget.largestBytes {
      throw .neverFits(neededBytes: needed, limitBytes: budget.limitBytes)
    }
  }

  mutating func reserve(_ bytes: Int) throws(Problem) {
    guard budget.reserve(bytes) else {
      try checkFit(of: bytes)
      throw budget.overload.refuse(for: .rowMemory)
    }
    reservedBytes += bytes
  }

  /// Prepares to parse the current text in slices.
  private mutating func wait(toRead body: borrowing ByteBuffer, isLines: Bool) throws(Problem) {
    try checkFit(of: estimate(for: body))
    ticket = budget.drawTicket()
    step = .waiting(isLines: isLines)
  }

  /// Continues with the form for a slice. Returns true once the body is JSON.
  private mutating func readForm(_ body: inout ByteBuffer, _ slice: inout Slice) throws(Problem) -> Bool {
    guard let form else { preconditionFailure("the form has been read") }
    // The span borrows the body, which is replaced only after the last read.
    let text = body.bytes.bindMemory(to: UInt8.self).span
    if !form.isMeasured {
      if try !form.measure(text, &slice) { return false }
      try reserve(form.estimatedBytes)
    }
    guard let json = try form.read(text, &slice) else { return false }
    self.form = nil
    // What was reserved beyond its end has not been written to, so the system has not allocated it.
    formJSONBytes = max(0, json.count - body.count)
    body = json
    return true
  }

  private func parse(_ body: inout ByteBuffer, _ factory: isolated CellFactory) throws(Problem)
    -> JSONTape.Index
  {
    do throws(JSONFault) {
      return try factory.parse(&body, in: 0..<body.count, depthLimit: depthLimit)
    } catch {
      throw problem(error, in: body)
    }
  }

  private func problem(_ fault: JSONFault, in body: borrowing ByteBuffer) -> Problem {
    let position = lineAndColumn(of: fault.offset, in: body.bytes)
    return Problem(fault, line: position.line, column: position.column)
  }
}
