/// Where a request stands in a trace: the header `traceparent` (W3C Trace Context, section 3.2).
///
/// `VERSION-TRACE-PARENT-FLAGS`, each in lower-case hexadecimal digits:
/// ```
/// 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
/// ```
package struct TraceParent: Sendable, Equatable {
  /// 16 bytes, not all zero.
  package var traceID: (high: UInt64, low: UInt64)
  /// The caller's span; not zero.
  package var parentID: UInt64
  package var flags: UInt8

  /// Bytes of version 00; later ones may go on behind a `-`.
  private static let count = 55

  /// `nil`: it is not valid, and counts as not sent.
  init?(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    guard bytes.count >= Self.count, let version = Self.hex(&rest, digits: 2), version != 0xFF else {
      return nil
    }
    // What stands behind the flags is for those who know the version.
    guard bytes.count == Self.count || version != 0 else { return nil }
    guard Self.dash(&rest), let high = Self.hex(&rest, digits: 16), let low = Self.hex(&rest, digits: 16),
      Self.dash(&rest), let parent = Self.hex(&rest, digits: 16),
      Self.dash(&rest), let flags = Self.hex(&rest, digits: 2)
    else { return nil }
    guard rest.isEmpty || Self.dash(&rest) else { return nil }
    guard high | low != 0, parent != 0 else { return nil }
    traceID = (high, low)
    parentID = parent
    self.flags = UInt8(flags)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.traceID == right.traceID && left.parentID == right.parentID && left.flags == right.flags
  }

  private static func dash<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> Bool
  where Bytes.SubSequence == Bytes {
    rest.popFirst() == UInt8(ascii: "-")
  }

  /// Lower-case digits only.
  private static func hex<Bytes: Collection<UInt8>>(
    _ rest: inout Bytes, digits: Int
  ) -> UInt64? where Bytes.SubSequence == Bytes {
    var value: UInt64 = 0
    for _ in 0..<digits {
      switch rest.popFirst() {
      case let byte? where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case let byte? where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return value
  }
}
