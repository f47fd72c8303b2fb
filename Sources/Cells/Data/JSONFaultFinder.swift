import CSimdJSON

/// Finds the first error in a text that ``JSONParser`` has refused, part by part. Slow and exact; shares no code with
/// the parser.
package final class JSONFaultFinder {
  // Made in `init`, freed in `deinit`.
  private let handle: OpaquePointer
  private let range: Range<Int>
  private let depthLimit: Int

  /// - Parameter range: the document, in bytes of the text.
  package init(_ range: Range<Int>, depthLimit: Int) {
    guard
      let handle = cf_json_judge_create(
        UInt32(range.lowerBound), UInt32(range.upperBound), UInt32(depthLimit))
    else { fatalError("out of memory") }
    self.handle = handle
    self.range = range
    self.depthLimit = depthLimit
  }

  deinit { cf_json_judge_free(handle) }

  /// Checks about `bytes` more. The text must be the same each time.
  /// - Returns: true when `fault` is known.
  package func look(at text: borrowing ByteBuffer, bytes: Int) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count, "range outside of the text")
    // The buffer's storage is never nil. Read within the range and only in this call.
    let start = text.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    return cf_json_judge_continue(handle, start, bytes == .max ? Int(bitPattern: UInt.max) : bytes)
  }

  /// The first error, nil if there is none.
  package var fault: JSONFault? {
    let fault = cf_json_judge_fault(handle)
    guard let reason = fault.reason else { return nil }
    if fault.too_deep != 0 {
      return JSONFault(kind: .tooDeep, offset: Int(fault.offset), reason: "nested deeper than \(depthLimit)")
    }
    // A reason is a C string literal.
    return JSONFault(kind: .invalid, offset: Int(fault.offset), reason: String(cString: reason))
  }
}
