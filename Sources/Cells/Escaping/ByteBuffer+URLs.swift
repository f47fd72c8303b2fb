import CEscape
import CellTemplates

/// URLs in quoted attributes: invalid characters are percent-encoded, and a refused URL is replaced by one
/// that leads nowhere.
extension ByteBuffer {
  /// The replacement for a URL that is not allowed.
  static var refusedURL: StaticString { "about:invalid#cell" }

  /// The maximum length in bytes of values that are checked completely (`srcset`, lists of URLs, hosts,
  /// styles). Longer ones are refused, so that a check takes at most some milliseconds.
  static let mostJudgedBytes = 256 << 10

  /// Appends a URL if its scheme is allowed or it has none.
  @inline(never)
  mutating func appendURL(_ url: URLText, allowing schemes: AllowedSchemes) {
    if url.isAllowed(by: schemes) { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a URL if it stays on the page's origin.
  mutating func appendSameOriginURL(_ url: URLText) {
    if url.isInSameOrigin { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a URL if it refers to a part of the same document.
  mutating func appendFragmentURL(_ url: URLText) {
    if url.isFragment { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends URLs separated by white space, with one space between them. A list longer than `mostJudgedBytes` is refused.
  mutating func appendURLList(_ list: UnsafeRawBufferPointer, allowing schemes: AllowedSchemes) {
    if list.count > Self.mostJudgedBytes {
      append(Self.refusedURL)
    } else {
      var isFirst = true
      appendURLs(of: list, isFirst: &isFirst, allowing: schemes)
    }
  }

  /// Appends the URLs of a part of a list that splits none.
  /// - Parameter isFirst: whether no URL of the list was appended before.
  mutating func appendURLs(
    of part: UnsafeRawBufferPointer, isFirst: inout Bool, allowing schemes: AllowedSchemes
  ) {
    var end = 0
    while true {
      var start = end
      while start < part.count, part[start].isHTMLSpace { start += 1 }
      if start == part.count { return }
      end = start + 1
      while end < part.count, !part[end].isHTMLSpace { end += 1 }
      let url = URLText(UnsafeRawBufferPointer(rebasing: part[start..<end]))
      if url.bytes.isEmpty { continue }
      if !isFirst { append(byte: UInt8(ascii: " ")) }
      isFirst = false
      appendURL(url, allowing: schemes)
    }
  }

  /// Appends the text after a single static `/`. Leading slashes in it would turn it into a host, so they are
  /// percent-encoded.
  mutating func appendURLAfterSlash(_ source: UnsafeRawBufferPointer) {
    appendURLPart(appendingSlashes(of: source))
  }

  /// Appends the leading slashes of `source`, percent-encoded.
  /// - Returns: the rest.
  mutating func appendingSlashes(of source: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let rest = source.drop(while: \.isURLSlash)
    for byte in source[..<rest.startIndex] { append(byte == UInt8(ascii: "/") ? "%2F" : "%5C") }
    return UnsafeRawBufferPointer(rebasing: rest)
  }

  /// Appends the text between a single static `/` and another. If it were empty, `//` would turn the rest
  /// into a host, so `.` is printed instead: `/./` is equivalent to `/`.
  mutating func appendURLSegment(_ source: UnsafeRawBufferPointer) {
    if source.isEmpty { append(byte: UInt8(ascii: ".")) } else { appendURLAfterSlash(source) }
  }

  /// Appends a part of a URL's host. The replacement for other values contains a colon, which starts an
  /// invalid port, so the URL leads nowhere.
  mutating func appendURLHost(_ source: UnsafeRawBufferPointer) {
    let isLabel =
      source.count <= Self.mostJudgedBytes
      && source.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    if isLabel, !source.isEmpty { append(source) } else { append(Self.refusedURL) }
  }

  /// Appends text after the start of a URL and before its query. Everything is percent-encoded except
  /// unreserved characters, valid `%xx` and `! # $ & * + , / : ; = ? @ [ ]`. The result is escaped for the
  /// attribute, which only affects `&`.
  @inline(never)
  mutating func appendURLPart(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_url_part($0, $1, $2, $3) }
  }

  /// Appends text in a URL's query or fragment. Everything is percent-encoded except unreserved characters.
  mutating func appendURLComponent(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_url_component($0, $1, $2, $3) }
  }

  /// Appends text in a path that a value must not leave. Dots cannot be percent-encoded: parsers of URLs read `%2E%2E` as
  /// `..`, too. A value of dots alone is replaced, because several values may be side by side.
  mutating func appendURLPathComponent(_ source: UnsafeRawBufferPointer) {
    let isDots = source.count <= 2 && source.allSatisfy { $0 == UInt8(ascii: ".") }
    if isDots, !source.isEmpty { append("%EF%BF%BD") } else { appendURLComponent(source) }
  }
}
