package import Cells

/// Form fields (`application/x-www-form-urlencoded`) or a query as the data of one row: a JSON object of
/// strings.
///
/// Names are split at literal dots, then decoded: dots make objects, a repeated name makes an array of its
/// strings in the order sent. Members stand in the order of their first appearance. Time is linear in the
/// text; no nesting of the text is nesting of calls.
package struct FormFields: ~Copyable {
  private var tree: FieldTree
  private let depthLimit: Int

  /// Fields of a text of that size; `depthLimit` bounds the objects and arrays open at once, the row itself
  /// included.
  init(_ size: FormSize, depthLimit: Int) {
    tree = FieldTree(size)
    self.depthLimit = depthLimit
  }

  /// The fields as compact JSON. Throws `.badRequest`, `.tooDeep` beyond `depthLimit`, or `.bodyTooLarge`
  /// beyond what an index can address (2 GiB).
  package static func json(
    of bytes: UnsafeRawBufferPointer, depthLimit: Int
  ) throws(Problem) -> ByteBuffer {
    if bytes.count > FieldTree.textLimitBytes {
      throw Problem(.bodyTooLarge, detail: "form fields of more than \(FieldTree.textLimitBytes) bytes")
    }
    // The span borrows the caller's bytes for the length of this call; it is stored nowhere.
    let text = bytes.bindMemory(to: UInt8.self).span
    var fields = FormFields(FormSize(of: text), depthLimit: depthLimit)
    var pairs = FormPairs()
    while let pair = pairs.next(in: text) { try fields.add(pair, of: text) }
    return fields.json()
  }

  /// An upper bound of the memory that `json(of:depthLimit:)` takes for these bytes, its result included; far
  /// from what it takes where many pairs share a name. One pass over the bytes.
  package static func estimatedBytes(of bytes: UnsafeRawBufferPointer) -> Int {
    // The span borrows the caller's bytes for the length of this call.
    FieldTree.estimatedBytes(FormSize(of: bytes.bindMemory(to: UInt8.self).span))
  }

  /// Adds one pair. Throws `.badRequest` or `.tooDeep`; then the fields are of no further use.
  mutating func add(_ pair: FormPairs.Pair, of text: borrowing Span<UInt8>) throws(Problem) {
    var node = FieldTree.root
    var depth = 0
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
    do throws(PercentDecoding.Fault) {
      try tree.addValue(text, pair.value, to: node)
    } catch {
      throw Problem(.badRequest, detail: "the value of the field \(Self.name(pair, text)) \(error.reason)")
    }
    if depth == depthLimit && tree.holdsSeveral(node) { throw tooDeep(pair, text) }
  }

  /// The fields added so far as compact JSON.
  consuming func json() -> ByteBuffer { tree.json() }

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
