/// A path taken apart for routing: the word that routes, compared as sent, and what follows it, decoded once, so that
/// `%2F` is `/`. Whether there is anything of that word, or of that name, is not judged here.
package struct PathParts: Sendable, Equatable {
  /// How many bytes of the path are its word, the slash before it included: 6 of `/cells/news`. All of them where no
  /// second slash follows.
  package let wordCount: Int
  /// What stands after the second slash, decoded; empty where there is none.
  package let rest: String

  private init(wordCount: Int, rest: String) {
    self.wordCount = wordCount
    self.rest = rest
  }

  /// Of no path.
  static let none = PathParts(wordCount: 0, rest: "")

  /// Takes a path apart. Throws `.badRequest` if it is malformed, `.notFound` for the root.
  package init(_ path: String) throws(Problem) {
    if let parts = Self.plain(path) {
      self = parts
      return
    }
    // The target `*`, which asks about the server as a whole (RFC 9110, section 9.3.7).
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
    // A word that holds a % is nobody's, and what follows it nobody asks for.
    let rest = word.contains(UInt8(ascii: "%")) ? "" : String(decoded.utf8.dropFirst(word.count + 1))
    self.init(wordCount: word.count, rest: rest ?? "")
  }

  /// The parts of a path that has nothing to decode or to refuse, as nearly every one is.
  private static func plain(_ path: String) -> PathParts? {
    path.utf8.withContiguousStorageIfAvailable { bytes -> PathParts? in
      let bytes = UnsafeRawBufferPointer(bytes)
      let slash = UInt8(ascii: "/")
      guard bytes.count > 1, bytes[0] == slash else { return nil }
      var (previous, wordCount) = (slash, bytes.count)
      for place in 1..<bytes.count {
        let byte = bytes[place]
        if byte == UInt8(ascii: "%") || byte == 0 || byte >= 0x80 { return nil }
        if byte == slash {
          if previous == slash { return nil }
          if wordCount == bytes.count { wordCount = place }
        }
        previous = byte
      }
      if previous == slash { return nil }
      if wordCount == bytes.count { return PathParts(wordCount: wordCount, rest: "") }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[(wordCount + 1)...])
      return PathParts(wordCount: wordCount, rest: String(decoding: rest, as: UTF8.self))
    } ?? nil
  }

  /// The whole path decoded and without empty segments, those that `%2F` makes included.
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
      if byte == 0 { throw Problem(.badRequest, detail: "the path \(Excerpt.quoted(text)) holds %00") }
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
  /// No endpoint has this path.
  static func nothing(at path: String) -> Problem {
    Problem(
      .notFound, detail: "there is nothing at \(Excerpt.quoted(path)); GET /kinds lists the kinds of cells")
  }
}
