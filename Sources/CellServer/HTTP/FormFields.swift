package import Cells

/// Form fields (`application/x-www-form-urlencoded`) or a query as the data of one row: a JSON object of
/// strings.
///
/// Names are split at literal dots, then decoded: dots make objects, a repeated name makes an array of its
/// strings in the order sent. Members stand in the order of their first appearance. Time is linear in the
/// text; no nesting of the text is nesting of calls.
package struct FormFields: ~Copyable {
  /// A name is gone through in one go.
  static let nameLimitBytes = 64 << 10

  private(set) var tree: FieldTree
  private let depthLimit: Int
  /// The pair that is being added, and its node; how deep that lies.
  private var pair = FormPairs.Pair(name: 0..<0, value: 0..<0, isEmpty: true)
  private var node = FieldTree.root
  private var depth = 0

  /// Fields of a text of that size; `depthLimit` bounds the objects and arrays open at once, the row itself
  /// included.
  init(_ size: FormSize, depthLimit: Int) {
    tree = FieldTree(size)
    self.depthLimit = depthLimit
  }

  /// The fields as compact JSON, in one go. Throws `.badRequest`, `.tooDeep` beyond `depthLimit`, or `.bodyTooLarge`
  /// for more than `fieldLimit` fields, or beyond what an index can address (2 GiB).
  package static func json(
    of bytes: UnsafeRawBufferPointer, depthLimit: Int, fieldLimit: Int
  ) throws(Problem) -> ByteBuffer {
    // The span borrows the caller's bytes for the length of this call; it is stored nowhere.
    let text = bytes.bindMemory(to: UInt8.self).span
    let reader = FormReader(depthLimit: depthLimit, fieldLimit: fieldLimit)
    var slice = Slice(microseconds: .max, outputBytes: 0)
    guard try reader.measure(text, &slice), let json = try reader.read(text, &slice) else {
      preconditionFailure("a slice without end is over")
    }
    return json
  }

  /// An upper bound of the memory that `json(of:depthLimit:)` takes for these bytes, its result included; far
  /// from what it takes where many pairs share a name. One pass over the bytes.
  package static func estimatedBytes(of bytes: UnsafeRawBufferPointer) -> Int {
    // The span borrows the caller's bytes for the length of this call.
    FieldTree.estimatedBytes(FormSize(of: bytes.bindMemory(to: UInt8.self).span))
  }

  /// Adds one pair, which is not empty. Throws as `begin` and `addToValue`.
  mutating func add(_ pair: FormPairs.Pair, of text: borrowing Span<UInt8>) throws(Problem) {
    try begin(pair, of: text)
    try addToValue(text, pair.value, isLast: true)
  }

  /// Adds one pair, which is not empty, but for its value. Throws `.badRequest`, `.tooDeep` or `.bodyTooLarge`; then the
  /// fields are of no further use.
  mutating func begin(_ pair: FormPairs.Pair, of text: borrowing Span<UInt8>) throws(Problem) {
    if pair.name.count > Self.nameLimitBytes {
      throw Problem(
        .bodyTooLarge,
        detail: "the field name \(Self.name(pair, text)) is longer than \(Self.nameLimitBytes) bytes")
    }
    self.pair = pair
    node = FieldTree.root
    depth = 0
    var start = pair.name.lowerBound
    while true {
      var end = start
      while end < pair.name.upperBound && text[end] != UInt8(ascii: ".") { end += 1 }
      if start == end { throw emptyName(pair, text) }
      depth += 1
      if depth > depthLimit { throw tooDeep(pair, text) }
      do throws(PercentDecoding.Fault) {
        node = try tree.child(named: text, start..<end, of: node)
      } catch {
        throw Problem(.badRequest, detail: "the field name \(Self.name(pair, text)) \(error.reason)")
      }
      if end == pair.name.upperBound { break }
      guard tree.makeObject(node) else { throw conflict(pair, text) }
      start = end + 1
    }
    if tree.isObject(node) { throw conflict(pair, text) }
    tree.addValue(to: node)
  }

  /// Goes on with the value of the pair added last. Throws `.badRequest` or `.tooDeep`.
  /// - Parameter range: a part of it that divides no escape.
  mutating func addToValue(
    _ text: borrowing Span<UInt8>, _ range: Range<Int>, isLast: Bool
  ) throws(Problem) {
    do throws(PercentDecoding.Fault) {
      try tree.addToValue(text, range, isLast: isLast)
    } catch {
      throw Problem(.badRequest, detail: "the value of the field \(Self.name(pair, text)) \(error.reason)")
    }
    if isLast && depth == depthLimit && tree.holdsSeveral(node) { throw tooDeep(pair, text) }
  }

  /// What writes the fields as compact JSON, once all are added.
  func writer() -> FieldTree.Writer { tree.writer() }

  /// The fields added so far as compact JSON.
  func json() -> ByteBuffer {
    var writer = tree.writer()
    while !writer.write(tree, bytes: .max) {}
    return writer.takeBuffer()
  }

  static func tooMany(limit: Int) -> Problem {
    Problem(
      .bodyTooLarge,
      detail: "there are more than \(limit) fields, the limit that --fields sets; send JSON instead")
  }

  static func name(_ pair: FormPairs.Pair, _ text: borrowing Span<UInt8>) -> String {
    Excerpt.quoted(text.extracting(pair.name))
  }

  private func emptyName(_ pair: FormPairs.Pair, _ text: borrowing Span<UInt8>) -> Problem {
    Problem(
      .badRequest,
      detail: pair.name.isEmpty
        ? "a field without a name"
        : "the field name \(Self.name(pair, text)) has an empty part; write %2E for a dot")
  }

  private func conflict(_ pair: FormPairs.Pair, _ text: borrowing Span<UInt8>) -> Problem {
    Problem(
      .badRequest,
      detail: "the field \(Self.name(pair, text)) makes one name both a string and an object")
  }

  private func tooDeep(_ pair: FormPairs.Pair, _ text: borrowing Span<UInt8>) -> Problem {
    Problem(
      .tooDeep, detail: "the field \(Self.name(pair, text)) is nested deeper than the limit of \(depthLimit)")
  }
}
