import CSimdJSON

/// Parses JSON into nodes that a ``JSONTape`` reads, and holds them. One for each worker; not `Sendable`.
///
/// Several documents, as the lines of NDJSON, may be parsed one after another; their nodes stay until
/// ``reset()``.
package struct JSONParser: ~Copyable {
  /// Depth of arrays and objects allowed if nobody says otherwise.
  package static let defaultDepthLimit = 512

  /// The largest depth limit there can be: the depth of a node is 16 bits wide.
  package static let largestDepthLimit = 65535

  /// Memory kept for the next request by ``reset()``, at most, beside what the table of names takes.
  ///
  /// Enough for a body of some 500 kB, so that its next one needs no new memory, which costs as much as parsing does.
  package static let keptBytes = 8 << 20

  /// Most bytes of a text: node offsets are 32 bits wide.
  package static let textLimitBytes = Int(UInt32.max) - ByteBuffer.padding

  /// The version of simdjson, whose first stage it uses.
  package static var libraryVersion: String { String(cString: cf_json_library_version()) }

  // The one handle of the C parser: made in `init`, freed in `deinit`.
  private let handle: OpaquePointer

  package init() {
    guard let handle = cf_json_parser_create() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { cf_json_parser_free(handle) }

  /// Parses one document, the bytes of `range`, and appends its nodes.
  ///
  /// Bytes outside of `range` are not changed and change nothing. In `range`, strings that hold escapes are
  /// unescaped in place when, and only when, the document is valid.
  /// - Parameter names: ids for the names of keys; the same table for all documents between two resets.
  /// - Parameter depthLimit: arrays and objects that may be open at once, 1...65535.
  /// - Returns: the document's root.
  /// - Throws: the first fault from the left. The text and the nodes of earlier documents are as they were.
  package func parse(
    _ text: inout ByteBuffer, in range: Range<Int>, names: JSONNames, depthLimit: Int
  ) throws(JSONFault) -> JSONTape.Index {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside of the text")
    precondition((1...Self.largestDepthLimit).contains(depthLimit), "depth limit outside of 1...65535")
    guard text.count <= Self.textLimitBytes else {
      throw JSONFault(kind: .invalid, offset: range.lowerBound, reason: "the text is longer than 4 GiB")
    }
    text.clearPadding()
    // The buffer's storage is never nil and is followed by `ByteBuffer.padding` bytes, which is
    // CF_JSON_PADDING; the pointer is used in this call only.
    let start = text.mutableBytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    var root: UInt32 = 0
    let status = cf_json_parse(
      handle, start, UInt32(text.count), UInt32(range.lowerBound), UInt32(range.upperBound), names.handle,
      UInt32(depthLimit), &root)
    switch status {
    case CF_JSON_OK:
      return root
    case CF_JSON_OUT_OF_MEMORY:
      fatalError("out of memory")
    default:
      if let fault = Self.firstFault(of: text, in: range, depthLimit: depthLimit) { throw fault }
      // The two judges disagree, which is a bug; a test compares them over thousands of texts. Refusing is
      // safe.
      throw JSONFault(kind: .invalid, offset: range.lowerBound, reason: "the text is not JSON")
    }
  }

  /// Begins with a text that is one document, for who has not the time to parse it in one go: `begin`, then ``touch``
  /// until nothing is left, ``prepare``, ``touch`` again, and ``parse`` of the whole text, unchanged.
  ///
  /// For a parser that holds nothing; the same limits as for ``parse``.
  package func begin(_ text: borrowing ByteBuffer) {
    guard text.count <= Self.textLimitBytes else { return }
    // Never nil; read within its count, in this call only.
    let start = text.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    if cf_json_begin(handle, start, UInt32(text.count)) == CF_JSON_OUT_OF_MEMORY {
      fatalError("out of memory")
    }
  }

  /// Finds the text's tokens, and allocates its nodes. What is no JSON is left to ``parse``.
  package func prepare(_ text: inout ByteBuffer, depthLimit: Int) {
    guard text.count <= Self.textLimitBytes else { return }
    text.clearPadding()
    // As in `parse`: never nil, padded, and used in this call only. The parser compares the address later.
    let start = text.mutableBytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    if cf_json_prepare(handle, start, UInt32(text.count), UInt32(depthLimit)) == CF_JSON_OUT_OF_MEMORY {
      fatalError("out of memory")
    }
  }

  /// Behind ``begin`` and ``prepare``: makes the next `bytes` of the memory that will be needed the process's own, which
  /// takes longer than filling it does. Returns how many are left.
  package func touch(_ bytes: Int) -> Int { cf_json_parser_touch(handle, bytes) }

  /// The first fault of the text in `range`, nil if there is none. Slow and exact; says why ``parse`` refuses
  /// a text.
  package static func firstFault(of text: borrowing ByteBuffer, in range: Range<Int>, depthLimit: Int)
    -> JSONFault?
  {
    // The buffer's storage is never nil; read within `range`, in this call only.
    let start = text.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let fault = cf_json_first_fault(
      start, UInt32(range.lowerBound), UInt32(range.upperBound), UInt32(depthLimit))
    guard let reason = fault.reason else { return nil }
    if fault.too_deep != 0 {
      return JSONFault(kind: .tooDeep, offset: Int(fault.offset), reason: "nested deeper than \(depthLimit)")
    }
    // A reason is a C string literal.
    return JSONFault(kind: .invalid, offset: Int(fault.offset), reason: String(cString: reason))
  }

  /// The nodes of all documents since the last reset, over the text they were parsed from.
  /// Valid until the next parse or reset, and until `text` is changed or freed.
  package func tape(over text: borrowing ByteBuffer) -> JSONTape {
    JSONTape(nodes: cf_json_parser_nodes(handle), text: text.bytes.baseAddress!)  // never nil
  }

  /// Forgets all nodes, and gives back the memory beyond ``keptBytes``; a word of 4 bytes stays for each name.
  package func reset() {
    cf_json_parser_reset(handle, Self.keptBytes)
  }

  /// Gives back the memory that only parsing needs. Nodes, and tapes over them, stay valid.
  package func trim() {
    cf_json_parser_trim(handle)
  }

  /// Memory held now, in bytes.
  package var heldBytes: Int { cf_json_parser_held_bytes(handle) }

  /// Nodes of all documents since the last reset.
  package var nodeCount: Int { Int(cf_json_parser_node_count(handle)) }

  /// The most memory that texts of `count` bytes in all can make a parser hold: about 12 bytes for each byte.
  /// While one of its arrays grows, the old one is held beside the new for a moment.
  package static func estimatedBytes(
    forTextOf count: Int, depthLimit: Int = JSONParser.defaultDepthLimit
  ) -> Int {
    cf_json_parser_estimated_bytes(count, UInt32(depthLimit))
  }
}
