#if canImport(Glibc)
  import Glibc
#endif

/// The target of a request line, taken apart (RFC 9112, section 3.2).
struct RequestTarget: ~Copyable, Sendable {
  /// Begins with `/`, or is `*`.
  let path: String
  /// Without the `?`; `nil` if there was none.
  let query: String?
  /// The path's parts, those of none where it is malformed: an optional would cost ten times as much to copy.
  let parts: PathParts
  /// False: `PathParts` says why.
  let isWellFormed: Bool

  init(path: String, query: String? = nil) {
    self.path = path
    self.query = query
    let parts = try? PathParts(path)
    self.parts = parts ?? .none
    isWellFormed = parts != nil
  }

  /// Before there is one: its path is empty.
  init() {
    path = ""
    query = nil
    parts = .none
    isWellFormed = false
  }

  /// Whether it is `*`, which asks about the server as a whole. Every other target that is read begins with a slash.
  var isAsterisk: Bool { path.utf8.first == UInt8(ascii: "*") }

  /// `nil`: it is none of origin form, absolute form (`http` or `https`) and `*`, or holds a byte that a
  /// target may not hold: a space, a control, anything beyond ASCII.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, HeaderSyntax.isVisible(bytes) else { return nil }
    var start = 0
    if bytes[0] != UInt8(ascii: "/") {
      if HeaderSyntax.equals(bytes, "*") {
        self.init(path: "*")
        return
      }
      guard let end = Self.authorityEnd(bytes) else { return nil }
      start = end
    }
    let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    // An absolute form may have no path at all; it means the root.
    self.init(
      path: mark == start ? "/" : Self.text(bytes, start..<mark),
      query: mark < bytes.count ? Self.text(bytes, (mark + 1)..<bytes.count) : nil)
  }

  /// Whether `init` would make the same of these bytes, since they are the path, and the query behind a `?`.
  ///
  /// In any other form they are not the same bytes, and there is no more to be learnt from them.
  func isMade(of bytes: UnsafeRawBufferPointer) -> Bool {
    guard !path.isEmpty, Self.begins(bytes, with: path) else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[path.utf8.count...])
    guard let query else { return rest.isEmpty }
    guard rest.first == UInt8(ascii: "?"), rest.count == query.utf8.count + 1 else { return false }
    return Self.begins(UnsafeRawBufferPointer(rebasing: rest[1...]), with: query)
  }

  private static func begins(_ bytes: UnsafeRawBufferPointer, with text: String) -> Bool {
    // Every text that was made of bytes has them in a row.
    text.utf8.withContiguousStorageIfAvailable { text in
      // Both are as long as what is compared, and an empty one may have no address.
      text.count <= bytes.count
        && (text.isEmpty || memcmp(bytes.baseAddress!, text.baseAddress!, text.count) == 0)
    } ?? false
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
    let authority = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    return !authority.isEmpty && HostSyntax.isHost(authority) ? end : nil
  }
}
