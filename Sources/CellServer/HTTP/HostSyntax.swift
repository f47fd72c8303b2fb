#if canImport(Glibc)
  import Glibc
#endif

/// The syntax of the Host header and of the authority in an absolute target (RFC 9110, section 7.2; RFC 3986,
/// section 3.2).
enum HostSyntax {
  private static let largestPort = 65_535
  /// The length of the longest textual IPv6 address.
  private static let addressBytes = 45

  /// Whether the bytes are a host with an optional port. An empty value is valid.
  ///
  /// Stricter than the grammar: commas are refused, because they would make a list, and so are addresses of
  /// future kinds (`IPvFuture`).
  static func isHost(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return true }
    if first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
      return isAddress(UnsafeRawBufferPointer(rebasing: bytes[1..<end]))
        && isPort(UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]))
    }
    // Rebased, because a slice would be read byte by byte.
    guard let colon = memchr(bytes.baseAddress!, Int32(UInt8(ascii: ":")), bytes.count) else {
      return isName(bytes)
    }
    let end = UnsafeRawPointer(colon) - bytes.baseAddress!
    return end > 0 && isName(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      && isPort(UnsafeRawBufferPointer(rebasing: bytes[end...]))
  }

  /// `bytes` must not contain a colon.
  private static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var isEncoded = false
    let isEach = bytes.isAll(mostly: { $0.isHostWord }) { byte in
      switch byte {
      case UInt8(ascii: "%"):
        isEncoded = true
        return true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
        UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ";"),
        UInt8(ascii: "="):
        return true
      default: return false
      }
    }
    return isEach && (!isEncoded || isWellEncoded(bytes))
  }

  /// Whether two hexadecimal digits follow each `%`.
  private static func isWellEncoded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for position in bytes.indices where bytes[position] == UInt8(ascii: "%") {
      guard position + 2 < bytes.count, isxdigit(Int32(bytes[position + 1])) != 0,
        isxdigit(Int32(bytes[position + 2])) != 0
      else { return false }
    }
    return true
  }

  private static func isAddress(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= addressBytes, !bytes.contains(0) else { return false }
    var address = in6_addr()
    return inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
  }

  /// Whether the bytes are empty, or a colon and any number of digits up to 65535, even zero digits.
  private static func isPort(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return true }
    guard bytes[0] == UInt8(ascii: ":") else { return false }
    var port = 0
    var position = 1
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { return false }
      port = port * 10 + Int(digit)
      if port > largestPort { return false }
      position += 1
    }
    return true
  }
}
