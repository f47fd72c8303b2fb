#if canImport(Glibc)
  import Glibc
#endif

/// The parsed target of a request line (RFC 9112, section 3.2).
struct RequestTarget: ~Copyable, Sendable {
  /// Starts with `/`, or is `*`.
  let path: String
  /// Without the `?`; `nil` if there was none.
  let query: String?
  /// The parts of the path, or `.none` if it is malformed. Not an optional, which would be ten times as
  /// expensive to copy.
  let parts: PathParts
  /// If false, `PathParts(path)` throws the reason.
  let isWellFormed: Bool

  init(path: String, query: String? = nil) {
    self.path = path
    self.query = query
    let parts = try? PathParts(path)
    self.parts = parts ?? .none
    isWellFormed = parts != nil
  }

  /// A placeholder with an empty path.
  init() {
    path = ""
    query = nil
    parts = .none
    isWellFormed = false
  }

  /// Whether the target is `*`, the server as a whole. Every other accepted target starts with a slash.
  var isAsterisk: Bool { path.utf8.first == UInt8(ascii: "*") }

  /// `nil` if the bytes are not in origin form, absolute form (`http` or `https`) or `*`, or contain a byte
  /// that is invalid in a target: a space, a control character, or anything beyond ASCII.
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
    // An absolute form without a path means the root.
    self.init(
      path: mark == start ? "/" : Self.text(bytes, start..<mark),
      query: mark < bytes.count ? Self.text(bytes, (mark + 1)..<bytes.count) : nil)
  }

  /// Whether `init` would produce an equal target, because the bytes are this path and query.
  ///
  /// Always false for targets in another form, which must be parsed again.
  func isMade(of bytes: UnsafeRawBufferPointer) -> Bool {
    guard !path.isEmpty, Self.begins(bytes, with: path) else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[path.utf8.count...])
    guard let query else { return rest.isEmpty }
    guard rest.first == UInt8(ascii: "?"), rest.count == query.utf8.count + 1 else { return false }
    return Self.begins(UnsafeRawBufferPointer(rebasing: rest[1...]), with: query)
  }

  private static func begins(_ bytes: UnsafeRawBufferPointer, with text: String) -> Bool {
    // Strings made from bytes are contiguous.
    text.utf8.withContiguousStorageIfAvailable { text in
      // Both buffers have at least `text.count` bytes. An empty one may have no address.
      text.count <= bytes.count
        && (text.isEmpty || memcmp(bytes.baseAddress!, text.baseAddress!, text.count) == 0)
    } ?? false
  }

  // Rebased, because a slice would be read byte by byte.
  private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Where the path of an absolute form starts; `nil` if it is not an absolute form or has no host.
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
