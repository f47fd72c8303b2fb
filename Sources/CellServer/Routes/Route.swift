/// What a path names. A kind in it is the decoded text: whether there is such a kind, or could be, is not
/// judged here.
package enum Route: Sendable, Equatable {
  case cells
  case cellsOf(kind: String)
  case kinds
  case kind(String)
  case schema(kind: String)
  case livez, readyz, metrics, openapi
  /// The target `*`, which asks about the server as a whole (RFC 9110, section 9.3.7).
  case asterisk

  /// Reads a path as sent. Malformed: `.badRequest`; well formed, but nothing of ours: `.notFound`.
  ///
  /// Routing goes by the literal words; what follows them is decoded once, so that `%2F` is `/`.
  package init(path: String) throws(Problem) {
    if let kind = Self.plainKind(path) {
      self = .cellsOf(kind: kind)
      return
    }
    if path == "*" {
      self = .asterisk
      return
    }
    let decoded = try Self.decode(path)
    guard let separator = path.utf8.dropFirst().firstIndex(of: UInt8(ascii: "/")) else {
      guard let route = Self.withoutRest[path] else { throw Self.notFound(path) }
      self = route
      return
    }
    let word = path[..<separator]
    guard word == "/cells" || word == "/kinds" || word == "/schemas" else { throw Self.notFound(path) }
    // The word holds no %, so it is as long in the decoded text.
    let kind = String(decoded[decoded.utf8.index(decoded.startIndex, offsetBy: word.utf8.count + 1)...])
    switch word {
    case "/cells": self = .cellsOf(kind: kind)
    case "/kinds": self = .kind(kind)
    default: self = .schema(kind: kind)
    }
  }

  /// The kind of `/cells/KIND` where the path has nothing to decode or to refuse: what nearly every request
  /// has.
  private static func plainKind(_ path: String) -> String? {
    // Bytes, since texts are compared by what they mean.
    path.utf8.withContiguousStorageIfAvailable { bytes -> String? in
      let bytes = UnsafeRawBufferPointer(bytes)
      let word: StaticString = "/cells/"
      guard bytes.count > word.utf8CodeUnitCount, bytes.begins(with: word) else { return nil }
      var previous = UInt8(ascii: "/")
      for place in word.utf8CodeUnitCount..<bytes.count {
        let byte = bytes[place]
        if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/") && previous == byte { return nil }
        previous = byte
      }
      if previous == UInt8(ascii: "/") { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: bytes[word.utf8CodeUnitCount...]), as: UTF8.self)
    } ?? nil
  }

  /// The methods the target takes, in the order of the header `Allow`.
  package var methods: [String] {
    let all: [RequestHead.Method] = [.get, .head, .post, .options]
    return all.filter(takes).map(\.name)
  }

  private func takes(_ method: RequestHead.Method) -> Bool {
    switch (self, method) {
    case (_, .other): false
    case (_, .options): true
    case (.cells, .post), (.cellsOf, _), (.asterisk, _): true
    case (.cells, _), (_, .post): false
    case (_, .get), (_, .head): true
    }
  }

  /// Refuses a method the target does not take: `.methodNotAllowed`.
  package func check(_ method: RequestHead.Method) throws(Problem) {
    if self == .asterisk && method != .options {
      throw Problem(.badRequest, detail: "the target * is for OPTIONS only")
    }
    guard takes(method) else { throw .methodNotAllowed(method, allow: methods) }
  }

  private static let withoutRest: [String: Route] = [
    "/cells": .cells, "/kinds": .kinds, "/livez": .livez, "/readyz": .readyz, "/metrics": .metrics,
    "/openapi.json": .openapi,
  ]

  private static func notFound(_ path: String) -> Problem {
    Problem(
      .notFound, detail: "there is nothing at \(Excerpt.quoted(path)); GET /kinds lists the kinds of cells")
  }

  /// The whole path decoded and without empty segments, those that `%2F` makes included.
  private static func decode(_ path: String) throws(Problem) -> String {
    if path.isEmpty || path == "/" { throw notFound("/") }
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

extension UnsafeRawBufferPointer {
  /// Whether it begins with the bytes of `text`; it is at least as long.
  @inline(__always)
  fileprivate func begins(with text: StaticString) -> Bool {
    for place in 0..<text.utf8CodeUnitCount where self[place] != text.utf8Start[place] { return false }
    return true
  }
}
