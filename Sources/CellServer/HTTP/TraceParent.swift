/// The position of a request in a trace: the `traceparent` header (W3C Trace Context, section 3.2).
///
/// `VERSION-TRACE-PARENT-FLAGS`, each in lower-case hexadecimal digits:
/// ```
/// 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
/// ```
package struct TraceParent: Sendable, Equatable {
  /// 16 bytes, not all zero.
  package var traceID: (high: UInt64, low: UInt64)
  /// The caller's span id; not zero.
  package var parentID: UInt64
  package var flags: UInt8

  /// Length of version 00. Later versions may continue after a `-`.
  private static let count = 55

  /// `nil` if the header is invalid, which is treated as not sent.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.count else { return nil }
    let zero = UInt8(ascii: "0")
    // Only later versions may have data after the flags.
    if bytes.count > Self.count && (bytes[Self.count] != Self.dash || bytes[0] == zero && bytes[1] == zero) {
      return nil
    }
    guard bytes[2] == Self.dash, bytes[35] == Self.dash, bytes[52] == Self.dash,
      let version = Self.hex(bytes, 0..<2), version != 0xFF,
      let high = Self.hex(bytes, 3..<19), let low = Self.hex(bytes, 19..<35), high | low != 0,
      let parent = Self.hex(bytes, 36..<52), parent != 0,
      let flags = Self.hex(bytes, 53..<55)
    else { return nil }
    traceID = (high, low)
    parentID = parent
    self.flags = UInt8(flags)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.traceID == right.traceID && left.parentID == right.parentID && left.flags == right.flags
  }

  private static var dash: UInt8 { UInt8(ascii: "-") }

  /// Accepts lowercase digits only.
  private static func hex(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
    var value: UInt64 = 0
    for position in range {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return value
  }
}
