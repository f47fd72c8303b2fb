import CMarkup
import CellTemplates

/// URLs in quoted attributes: what may stand there is percent-encoded, what may not becomes a URL that leads nowhere.
extension ByteBuffer {
  /// Stands for a URL that is not allowed.
  static var refusedURL: StaticString { "about:invalid#cell" }

  /// Values that are judged from end to end (`srcset`, lists of URLs, hosts, styles) are refused where they are longer, in
  /// bytes: so judging one takes some milliseconds at most.
  static let mostJudgedBytes = 256 << 10

  /// Appends a URL whose scheme is allowed, or that has none.
  @inline(never)
  mutating func appendURL(_ url: URLText, allowing schemes: AllowedSchemes) {
    if url.isAllowed(by: schemes) { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a URL that leads to the page's own origin.
  mutating func appendSameOriginURL(_ url: URLText) {
    if url.isInSameOrigin { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a URL that leads to a place in the same document.
  mutating func appendFragmentURL(_ url: URLText) {
    if url.isFragment { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends URLs that stand with white space between them, with one space.
  mutating func appendURLList(_ list: UnsafeRawBufferPointer, allowing schemes: AllowedSchemes) {
    if list.count > Self.mostJudgedBytes {
      append(Self.refusedURL)
      return
    }
    var isFirst = true
    var rest = list[...]
    while let start = rest.firstIndex(where: { !$0.isHTMLSpace }) {
      rest = rest[start...]
      let end = rest.firstIndex(where: \.isHTMLSpace) ?? rest.endIndex
      let url = URLText(UnsafeRawBufferPointer(rebasing: rest[..<end]))
      rest = rest[end...]
      if url.bytes.isEmpty { continue }
      if !isFirst { append(byte: UInt8(ascii: " ")) }
      isFirst = false
      appendURL(url, allowing: schemes)
    }
  }

  /// Appends what follows a lone static `/`: its own slashes at the start would make a host of it.
  mutating func appendURLAfterSlash(_ source: UnsafeRawBufferPointer) {
    appendURLPart(appendingSlashes(of: source))
  }

  /// Appends the slashes that `source` begins with, percent-encoded.
  /// - Returns: the rest of it.
  mutating func appendingSlashes(of source: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let rest = source.drop(while: \.isURLSlash)
    for byte in source[..<rest.startIndex] { append(byte == UInt8(ascii: "/") ? "%2F" : "%5C") }
    return UnsafeRawBufferPointer(rebasing: rest)
  }

  /// Appends what stands between a lone static `/` and another: were it empty, `//` would make a host of the rest,
  /// and `/./` means what `/` means.
  mutating func appendURLSegment(_ source: UnsafeRawBufferPointer) {
    if source.isEmpty { append(byte: UInt8(ascii: ".")) } else { appendURLAfterSlash(source) }
  }

  /// Appends what stands in a URL's host. The colon of what stands for another value begins a port that is no number,
  /// so that no part of the URL leads anywhere.
  mutating func appendURLHost(_ source: UnsafeRawBufferPointer) {
    let isLabel =
      source.count <= Self.mostJudgedBytes
      && source.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    if isLabel, !source.isEmpty { append(source) } else { append(Self.refusedURL) }
  }

  /// Appends text behind the start of a URL and before its query: all is percent-encoded but unreserved characters,
  /// valid `%xx` and `! # $ & * + , / : ; = ? @ [ ]`. Then the attribute's escape, which leaves only `&` to do.
  @inline(never)
  mutating func appendURLPart(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_url_part($0, $1, $2, $3) }
  }

  /// Appends text in a URL's query or fragment: all is percent-encoded but unreserved characters.
  mutating func appendURLComponent(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_url_component($0, $1, $2, $3) }
  }
}
