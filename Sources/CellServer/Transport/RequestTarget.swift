/// The target of a request line, taken apart but not decoded (RFC 9112, section 3.2).
struct RequestTarget: Equatable {
  /// Begins with `/`, or is `*`.
  var path: String
  /// Without the `?`; `nil` if there was none.
  var query: String?

  /// `nil`: it is none of origin form, absolute form (`http` or `https`) and `*`, or holds a byte that a
  /// target may not hold: a space, a control, anything beyond ASCII.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, HeaderSyntax.isVisible(bytes) else { return nil }
    var start = 0
    if bytes[0] != UInt8(ascii: "/") {
      if HeaderSyntax.equals(bytes, "*") {
        path = "*"
        query = nil
        return
      }
      guard let end = Self.authorityEnd(bytes) else { return nil }
      start = end
    }
    let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    // An absolute form may have no path at all; it means the root.
    path = mark == start ? "/" : Self.text(bytes, start..<mark)
    query = mark < bytes.count ? Self.text(bytes, (mark + 1)..<bytes.count) : nil
  }

  // Rebased: a slice would be taken byte by byte.
  private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Where the path of an absolute form begins; `nil` if it is no absolute form, or names no host.
  private static func authorityEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let start: Int
    if HeaderSyntax.begins(bytes, with: "http://") {
      start = 7
    } else if HeaderSyntax.begins(bytes, with: "https://") {
      start = 8
    } else {
      return nil
    }
    let end =
      bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.count
    return end > start ? end : nil
  }
}
