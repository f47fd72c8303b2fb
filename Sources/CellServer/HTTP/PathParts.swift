/// A path split for routing. The first segment selects the route and is compared as sent. The rest is decoded
/// once, so that `%2F` becomes `/`. Whether the route or the name exists is decided elsewhere.
package struct PathParts: Sendable, Equatable {
  /// Length in bytes of the first segment with its leading slash: 6 for `/cells/news`. The whole path if
  /// there is no second slash.
  package let wordCount: Int
  /// The decoded text after the second slash; empty if there is no second slash.
  package let rest: String

  private init(wordCount: Int, rest: String) {
    self.wordCount = wordCount
    self.rest = rest
  }

  /// The parts of an empty path.
  static let none = PathParts(wordCount: 0, rest: "")

  /// The most bytes of a path. Names of kinds and files are much shorter.
  static let limitBytes = 8192

  /// Splits a path. Throws `.badRequest` if it is malformed or too long, `.notFound` for the root.
  package init(_ path: String) throws(Problem) {
    if path.utf8.count > Self.limitBytes {
      throw Problem(
        .badRequest, detail: "the path has \(path.utf8.count) bytes, more than the \(Self.limitBytes) allowed"
      )
    }
    if let parts = Self.plain(path) {
      self = parts
      return
    }
    // The target `*` refers to the server as a whole (RFC 9110, section 9.3.7).
    if path == "*" {
      self.init(wordCount: 1, rest: "")
      return
    }
    let decoded = try Self.decode(path)
    guard let slash = path.utf8.dropFirst().firstIndex(of: UInt8(ascii: "/")) else {
      self.init(wordCount: path.utf8.count, rest: "")
      return
    }
    let word = path[..<slash].utf8
    // A first segment that contains `%` matches no route, so nothing reads the rest.
    let rest = word.contains(UInt8(ascii: "%")) ? "" : String(decoded.utf8.dropFirst(word.count + 1))
    self.init(wordCount: word.count, rest: rest ?? "")
  }

  /// Fast path for nearly all paths: nothing to decode and nothing to refuse. Returns nil otherwise.
  private static func plain(_ path: String) -> PathParts? {
    path.utf8.withContiguousStorageIfAvailable { bytes -> PathParts? in
      let bytes = UnsafeRawBufferPointer(bytes)
      let slash = UInt8(ascii: "/")
      guard bytes.count > 1, bytes[0] == slash else { return nil }
      var (previous, wordCount) = (slash, bytes.count)
      for position in 1..<bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "%") || byte == 0 || byte >= 0x80 { return nil }
        if byte == slash {
          if previous == slash { return nil }
          if wordCount == bytes.count { wordCount = position }
        }
        previous = byte
      }
      if previous == slash { return nil }
      if wordCount == bytes.count { return PathParts(wordCount: wordCount, rest: "") }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[(wordCount + 1)...])
      return PathParts(wordCount: wordCount, rest: String(decoding: rest, as: UTF8.self))
    } ?? nil
  }

  /// Decodes the whole path. Refuses empty segments, including those that `%2F` makes.
  private static func decode(_ path: String) throws(Problem) -> String {
    if path.isEmpty || path == "/" { throw .nothing(at: "/") }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw Problem(.badRequest, detail: "the path \(Excerpt.quoted(path)) does not begin with /")
    }
    let view = path.utf8
    let text = view.span
    let decoded: String
    do throws(PercentDecoding.Fault) {
      decoded = try PercentDecoding.string(text, 0..<text.count, plusIsSpace: false)
    } catch {
      throw Problem(.badRequest, detail: "the path \(Excerpt.quoted(text)) \(error.reason)")
    }
    var previous: UInt8 = 0
    for byte in decoded.utf8 {
      if byte == 0 { throw Problem(.badRequest, detail: "the path \(Excerpt.quoted(text)) contains %00") }
      if byte == UInt8(ascii: "/") && previous == byte { throw emptySegment(path) }
      previous = byte
    }
    if previous == UInt8(ascii: "/") { throw emptySegment(path) }
    return decoded
  }

  private static func emptySegment(_ path: String) -> Problem {
    Problem(.badRequest, detail: "the path \(Excerpt.quoted(path)) has an empty segment")
  }
}

extension Problem {
  /// The problem for a path without an endpoint.
  static func nothing(at path: String) -> Problem {
    Problem(
      .notFound, detail: "there is nothing at \(Excerpt.quoted(path)); GET /kinds lists the kinds of cells")
  }
}
