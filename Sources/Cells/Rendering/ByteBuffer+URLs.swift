import CMarkup
import CellTemplates

/// URLs in quoted attributes: what may stand there is percent-encoded, what may not becomes a URL that leads nowhere.
extension ByteBuffer {
  /// Stands for a URL that is not allowed.
  static var refusedURL: StaticString { "about:invalid#cell" }

  /// Appends a URL as `appendURL` does: most have nothing to drop, to look up or to encode.
  @inline(__always)
  mutating func appendLink(_ source: UnsafeRawBufferPointer, in archive: borrowing CellArchive) {
    guard URLText.isPlainStart(source) else { return appendURL(URLText(source), in: archive) }
    let clean = appendClean(source) { cf_url_doubt_mask($0) }
    if clean < source.count { appendURLPart(UnsafeRawBufferPointer(rebasing: source[clean...])) }
  }

  /// Appends a URL whose scheme is allowed, or that has none.
  @inline(never)
  mutating func appendURL(_ url: URLText, in archive: borrowing CellArchive) {
    if url.isAllowed(in: archive) { appendURLPart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a URL that leads to the page's own origin.
  ///
  /// `\` is percent-encoded, and so is no `/` to a URL parser any more: only what follows a first `/` must be judged.
  mutating func appendSameOriginURL(_ url: URLText) {
    if url.scheme != nil || url.startsWithHost {
      append(Self.refusedURL)
    } else {
      appendURLPart(url.bytes)
    }
  }

  /// Appends a URL that leads to a place in the same document.
  mutating func appendFragmentURL(_ url: URLText) {
    if url.bytes.first != UInt8(ascii: "#") {
      append(Self.refusedURL)
    } else {
      appendURLPart(url.bytes)
    }
  }

  /// Appends URLs that stand with white space between them, with one space.
  mutating func appendURLList(_ list: UnsafeRawBufferPointer, in archive: borrowing CellArchive) {
    var isFirst = true
    for item in list.split(whereSeparator: \.isHTMLSpace) {
      let url = URLText(UnsafeRawBufferPointer(rebasing: item))
      if url.bytes.isEmpty { continue }
      if !isFirst { append(byte: UInt8(ascii: " ")) }
      isFirst = false
      appendURL(url, in: archive)
    }
  }

  /// Appends what follows a lone static `/`: its own slashes at the start would make a host of it.
  mutating func appendURLAfterSlash(_ source: UnsafeRawBufferPointer) {
    let rest = source.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    reserve(3 * rest.startIndex)
    for byte in source[..<rest.startIndex] { appendPercentEncoded(byte, before: 0) }
    appendURLPart(UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Appends what stands between a lone static `/` and another: were it empty, `//` would make a host of the rest,
  /// and `/./` means what `/` means.
  mutating func appendURLSegment(_ source: UnsafeRawBufferPointer) {
    if source.isEmpty { append(byte: UInt8(ascii: ".")) } else { appendURLAfterSlash(source) }
  }

  /// Appends text behind the start of a URL and before its query: all is percent-encoded but unreserved characters,
  /// valid `%xx` and `! # $ & * + , / : ; = ? @ [ ]`. Then the attribute's escape, which leaves only `&` to do.
  @inline(never)
  mutating func appendURLPart(_ source: UnsafeRawBufferPointer) {
    append(source, mask: { cf_url_mask($0) }) { buffer, bytes, behind in
      // The bytes behind the source are readable, but no part of it.
      switch bytes.load(as: UInt8.self) {
      case UInt8(ascii: "&"):
        buffer.appendShort(0x3B_706D_6126, count: 5, before: behind)  // &amp;
        return 0
      case UInt8(ascii: "%") where behind >= 2 && Self.isHex(bytes + 1) && Self.isHex(bytes + 2):
        buffer.appendShort(bytes.loadUnaligned(as: UInt64.self), count: 3, before: behind - 2)
        return 2
      default:
        return buffer.appendPercentEncodedRun(bytes, behind)
      }
    }
  }

  /// Appends text in a URL's query or fragment: all is percent-encoded but unreserved characters.
  mutating func appendURLComponent(_ source: UnsafeRawBufferPointer) {
    append(source, mask: { cf_component_mask($0) }) { buffer, bytes, behind in
      buffer.appendPercentEncodedRun(bytes, behind)
    }
  }

  /// Appends the byte percent-encoded, and those behind it that are not ASCII either; how many of these it took.
  @inline(__always)
  private mutating func appendPercentEncodedRun(_ bytes: UnsafeRawPointer, _ behind: Int) -> Int {
    appendPercentEncoded(bytes.load(as: UInt8.self), before: behind)
    var count = 0
    while count < behind {
      let byte = bytes.load(fromByteOffset: count + 1, as: UInt8.self)
      if byte < 0x80 { break }
      count += 1
      appendPercentEncoded(byte, before: behind - count)
    }
    return count
  }

  @inline(__always)
  private mutating func appendPercentEncoded(_ byte: UInt8, before left: Int) {
    let high = UInt64(Self.hexDigit(byte >> 4))
    let low = UInt64(Self.hexDigit(byte & 15))
    appendShort(UInt64(UInt8(ascii: "%")) | high << 8 | low << 16, count: 3, before: left)
  }

  @inline(__always)
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  @inline(__always)
  private static func isHex(_ byte: UnsafeRawPointer) -> Bool { byte.load(as: UInt8.self).isHexDigit }
}
