import CSimdJSON

/// Parses JSON into nodes, which it owns and a ``JSONTape`` reads. One for each worker; not `Sendable`.
///
/// Several documents, such as the lines of NDJSON, can be parsed in turn. Their nodes are kept until
/// ``reset()``.
package struct JSONParser: ~Copyable {
  /// The default limit of nested arrays and objects.
  package static let defaultDepthLimit = 512

  /// The largest possible depth limit: the depth of a node has 16 bits.
  package static let largestDepthLimit = 65535

  /// The most memory that ``reset()`` keeps for the next request, in addition to the table of names.
  ///
  /// Enough for a body of about 500 kB, so that the next one needs no new memory; allocating costs as much as
  /// parsing.
  package static let keptBytes = 8 << 20

  /// The longest text: node offsets have 32 bits.
  package static let textLimitBytes = Int(UInt32.max) - ByteBuffer.padding

  /// The version of simdjson, whose first stage is used.
  package static var libraryVersion: String { String(cString: cf_json_library_version()) }

  // The only handle of the C parser: made in `init`, freed in `deinit`.
  private let handle: OpaquePointer

  package init() {
    guard let handle = cf_json_parser_create() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { cf_json_parser_free(handle) }

  /// Parses the bytes of `range` as one document and appends its nodes.
  ///
  /// Bytes outside `range` are neither read nor changed. Inside `range`, strings with escapes are unescaped
  /// in place if and only if the document is valid.
  /// - Parameter names: ids for the names of keys; must be the same table for all documents between two
  ///   resets.
  /// - Parameter depthLimit: the most arrays and objects open at once, 1...65535.
  /// - Returns: the document's root.
  /// - Throws: the first error. The text and the nodes of earlier documents are unchanged.
  package func parse(
    _ text: inout ByteBuffer, in range: Range<Int>, names: JSONNames, depthLimit: Int
  ) throws(JSONFault) -> JSONTape.Index {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside the text")
    precondition((1...Self.largestDepthLimit).contains(depthLimit), "depth limit outside of 1...65535")
    guard text.count <= Self.textLimitBytes else {
      throw JSONFault(kind: .invalid, offset: range.lowerBound, reason: "the text is longer than 4 GiB")
    }
    text.clearPadding()
    // The buffer's storage is never nil and is followed by `ByteBuffer.padding` bytes, which equals
    // CF_JSON_PADDING. The pointer is used only in this call.
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
      throw Self.firstFault(of: text, in: range, depthLimit: depthLimit) ?? .unexplained(at: range.lowerBound)
    }
  }

  /// Begins to parse the bytes of `range` as one document in steps: `begin`, then ``touch`` until nothing is left,
  /// ``prepare``, ``touch`` again, and ``parsePart`` of the same range of the unchanged text.
  ///
  /// The limits of ``parse`` apply.
  package func begin(_ text: borrowing ByteBuffer, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside the text")
    guard text.count <= Self.textLimitBytes else { return }
    // Never nil; read within its count and only in this call.
    let start = text.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let status = cf_json_begin(handle, start, UInt32(range.lowerBound), UInt32(range.upperBound))
    if status == CF_JSON_OUT_OF_MEMORY {
      fatalError("out of memory")
    }
  }

  /// Finds the document's tokens and allocates its nodes. Errors are left to ``parse``.
  package func prepare(_ text: inout ByteBuffer, in range: Range<Int>, depthLimit: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside the text")
    guard text.count <= Self.textLimitBytes else { return }
    text.clearPadding()
    // As in `parse`: never nil, padded, and used only in this call. The parser compares the address later.
    let start = text.mutableBytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let status = cf_json_prepare(
      handle, start, UInt32(text.count), UInt32(range.lowerBound), UInt32(range.upperBound),
      UInt32(depthLimit))
    if status == CF_JSON_OUT_OF_MEMORY {
      fatalError("out of memory")
    }
  }

  /// After ``begin`` and ``prepare``: touches the next `bytes` of the memory that will be needed, because
  /// page faults take longer than filling it. Returns 0 when nothing is left.
  package func touch(_ bytes: Int) -> Int { cf_json_parser_touch(handle, bytes) }

  /// The result of parsing a part of a document.
  package enum Part: Equatable {
    case more
    /// The document is complete; this is its root.
    case root(JSONTape.Index)
    /// The text is not JSON; `JSONFaultFinder` finds the reason. The text is unchanged.
    case refused
  }

  /// Parses the next part of the document. Call it after ``begin``, ``prepare`` and touching, until the result is not
  /// `more`. The text must not be moved or changed between two parts.
  /// - Parameter bytes: roughly the bytes to process. Dense tokens and escapes count as more.
  package func parsePart(
    _ text: inout ByteBuffer, in range: Range<Int>, names: JSONNames, depthLimit: Int, bytes: Int
  ) -> Part {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside the text")
    guard text.count <= Self.textLimitBytes else { return .refused }
    text.clearPadding()
    // As in `parse`: never nil, padded. The parser compares the address with that of the previous part.
    let start = text.mutableBytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    var root: UInt32 = 0
    let status = cf_json_parse_part(
      handle, start, UInt32(text.count), UInt32(range.lowerBound), UInt32(range.upperBound), names.handle,
      UInt32(depthLimit), bytes, &root)
    switch status {
    case CF_JSON_OK: return .root(root)
    case CF_JSON_PAUSED: return .more
    case CF_JSON_OUT_OF_MEMORY: fatalError("out of memory")
    default: return .refused
    }
  }

  /// The first error in `range`, nil if there is none. Slow and exact; explains why ``parse`` refuses a text.
  package static func firstFault(of text: borrowing ByteBuffer, in range: Range<Int>, depthLimit: Int)
    -> JSONFault?
  {
    let finder = JSONFaultFinder(range, depthLimit: depthLimit)
    _ = finder.look(at: text, bytes: .max)
    return finder.fault
  }

  /// The nodes of all documents since the last reset, over the text they were parsed from. Valid until the
  /// next parse or reset, and until `text` is changed or freed.
  package func tape(over text: borrowing ByteBuffer) -> JSONTape {
    JSONTape(nodes: cf_json_parser_nodes(handle), text: text.bytes.baseAddress!)  // never nil
  }

  /// Removes all nodes and releases memory beyond ``keptBytes``. Four bytes for each name are kept.
  package func reset() {
    cf_json_parser_reset(handle, Self.keptBytes)
  }

  /// Releases memory needed only for parsing. Nodes and tapes stay valid.
  package func trim() {
    cf_json_parser_trim(handle)
  }

  /// Memory currently held, in bytes.
  package var heldBytes: Int { cf_json_parser_held_bytes(handle) }

  /// The number of nodes of all documents since the last reset.
  package var nodeCount: Int { Int(cf_json_parser_node_count(handle)) }

  /// The most memory that a parser needs for texts of `count` bytes in total: about 12 bytes for each byte.
  /// While one of its arrays grows, the old one is briefly held too.
  package static func estimatedBytes(
    forTextOf count: Int, depthLimit: Int = JSONParser.defaultDepthLimit
  ) -> Int {
    cf_json_parser_estimated_bytes(count, UInt32(depthLimit))
  }
}
