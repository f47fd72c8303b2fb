package import Cells

/// Form fields (`application/x-www-form-urlencoded`) or a query as the data of one row: a JSON object.
///
/// Names are split at literal dots, then decoded. Dots make nested objects; a repeated name makes an array of
/// its values in the order sent. A value is a string; that of a name that ends in `:` is JSON. Members keep the order of
/// their first appearance. Time is linear in the length of the text, and nesting does not recurse.
package struct FormFields: ~Copyable {
  /// Bounds a field name, which is processed in one step.
  static let nameLimitBytes = 64 << 10
  /// Bounds the names in all, counting each part between dots.
  static let namesPerField = 16

  private(set) var tree: FieldTree
  private let depthLimit: Int
  /// The pair being added, its node, and the depth of that node.
  private var pair = FormPairs.Pair(name: 0..<0, value: 0..<0, isEmpty: true)
  private var node = FieldTree.root
  private(set) var depth = 0
  /// Whether the value of the pair is JSON.
  private(set) var isJSON = false

  /// Makes room for a text of the given size.
  /// - Parameter depthLimit: the most objects and arrays open at once, including the row itself.
  init(_ size: FormSize, depthLimit: Int) {
    tree = FieldTree(size)
    self.depthLimit = depthLimit
  }

  /// The fields as compact JSON, in one step. Throws `.badRequest`; `.tooDeep` beyond `depthLimit`; or
  /// `.bodyTooLarge` for more than `fieldLimit` fields or more than 2 GiB of text.
  package static func json(
    of bytes: UnsafeRawBufferPointer, depthLimit: Int, fieldLimit: Int
  ) throws(Problem) -> ByteBuffer {
    // The span borrows the caller's bytes during this call and is not stored.
    let text = bytes.bindMemory(to: UInt8.self).span
    let reader = FormReader(depthLimit: depthLimit, fieldLimit: fieldLimit)
    var slice = Slice(microseconds: .max, since: 0, outputBytes: 0)
    guard try reader.measure(text, &slice), let json = try reader.read(text, &slice) else {
      preconditionFailure("an unlimited slice ended")
    }
    return json
  }

  /// An upper bound of the memory that `json(of:depthLimit:fieldLimit:)` needs for these bytes, result
  /// included. It is far too high if many pairs share a name. Takes one pass over the bytes.
  package static func estimatedBytes(of bytes: UnsafeRawBufferPointer) -> Int {
    // The span borrows the caller's bytes during this call.
    FieldTree.estimatedBytes(FormSize(of: bytes.bindMemory(to: UInt8.self).span))
  }

  /// Adds one non-empty pair. Throws the same problems as `begin`, `addToValue` and `check`.
  mutating func add(_ pair: FormPairs.Pair, of text: borrowing Span<UInt8>) throws(Problem) {
    try begin(pair, of: text)
    try addToValue(text, pair.value, isLast: true)
    guard isJSON else { return }
    let finder = faultFinder()
    while try !check(by: finder, bytes: .max, text) {}
  }

  /// Adds one non-empty pair without its value. Throws `.badRequest`, `.tooDeep` or `.bodyTooLarge`; the
  /// fields must not be used after that.
  mutating func begin(_ pair: FormPairs.Pair, of text: borrowing Span<UInt8>) throws(Problem) {
    if pair.name.count > Self.nameLimitBytes {
      throw Problem(
        .bodyTooLarge,
        detail: "the field name \(Self.name(pair, text)) is longer than \(Self.nameLimitBytes) bytes")
    }
    self.pair = pair
    node = FieldTree.root
    depth = 0
    let name = FieldName(pair.name, of: text)
    isJSON = name.isOfJSON
    var start = name.range.lowerBound
    while true {
      var end = start
      while end < name.range.upperBound && text[end] != UInt8(ascii: ".") { end += 1 }
      if start == end { throw emptyName(pair, text) }
      if let hint = FieldName.hintOnBrackets(start..<end, of: text) {
        throw Problem(.badRequest, detail: "the field name \(Self.name(pair, text)) has brackets; \(hint)")
      }
      depth += 1
      if depth > depthLimit { throw tooDeep(pair, text) }
      do throws(PercentDecoding.Fault) {
        node = try tree.child(named: text, start..<end, of: node)
      } catch {
        throw Problem(.badRequest, detail: "the field name \(Self.name(pair, text)) \(error.reason)")
      }
      if end == name.range.upperBound { break }
      guard tree.makeObject(node) else { throw conflict(pair, text) }
      start = end + 1
    }
    if tree.isObject(node) { throw conflict(pair, text) }
    tree.addValue(to: node, isJSON: isJSON)
  }

  /// Appends to the value of the pair added last. Throws `.badRequest` or `.tooDeep`.
  /// - Parameter range: the next part of the value; it must not split an escape.
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

  /// What finds the first fault in the value of the pair added last, which is JSON and complete.
  func faultFinder() -> JSONFaultFinder { tree.faultFinder(depthLimit: depthLimit - depth) }

  /// Checks about `bytes` more bytes of that value. Returns true when it is known to be valid. Throws `.badRequest`, or
  /// `.tooDeep`.
  func check(by finder: JSONFaultFinder, bytes: Int, _ text: borrowing Span<UInt8>) throws(Problem) -> Bool {
    guard tree.look(by: finder, bytes: bytes) else { return false }
    guard let fault = finder.fault else { return true }
    if fault.kind == .tooDeep { throw tooDeep(pair, text) }
    throw Problem(
      .badRequest,
      detail: """
        the value of the field \(Self.name(pair, text)) is not JSON: \(fault.reason); without the colon at the end of \
        its name it would be a string
        """)
  }

  /// A writer of the fields as compact JSON. All fields must have been added.
  func writer() -> FieldTree.Writer { tree.writer() }

  /// The fields added so far, as compact JSON.
  func json() -> ByteBuffer {
    var writer = tree.writer()
    while !writer.write(tree, bytes: .max) {}
    return writer.takeBuffer()
  }

  /// Prepares for fields to be added. Returns false if there is more to prepare.
  mutating func prepare() -> Bool { tree.prepare() }

  /// Throws `.bodyTooLarge` for more fields than the limit, more than `namesPerField` names for each field of the
  /// limit, or fields that may be more JSON than can be parsed.
  static func check(
    _ size: FormSize, fieldLimit: Int, jsonLimitBytes: Int = JSONParser.textLimitBytes
  ) throws(Problem) {
    if size.jsonBytes > jsonLimitBytes {
      throw Problem(
        .bodyTooLarge,
        detail:
          "as JSON, the fields may have more than \(jsonLimitBytes) bytes; send fewer characters to be escaped"
      )
    }
    if size.fields > fieldLimit { throw tooMany(limit: fieldLimit) }
    if size.names / namesPerField >= fieldLimit, size.names > namesPerField * fieldLimit {
      throw Problem(
        .bodyTooLarge,
        detail: """
          the names of the fields have more than \(namesPerField * fieldLimit) parts, \(namesPerField) for each field \
          that --fields allows; send JSON instead
          """)
    }
  }

  static func tooMany(limit: Int) -> Problem {
    Problem(
      .bodyTooLarge,
      detail: "there are more than \(limit) fields, the limit set by --fields; send JSON instead")
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
      detail: "the field \(Self.name(pair, text)) makes one name both a value and an object of other fields")
  }

  private func tooDeep(_ pair: FormPairs.Pair, _ text: borrowing Span<UInt8>) -> Problem {
    Problem(
      .tooDeep, detail: "the field \(Self.name(pair, text)) is nested deeper than the limit of \(depthLimit)")
  }
}
