import CMarkup

/// URLs in quoted attributes: what may stand there is percent-encoded, what may not becomes a URL that leads nowhere.
extension ByteBuffer {
  /// Stands for a URL that is not allowed.
  static var refusedURL: StaticString { "about:invalid#cell" }

  /// Appends a URL that shows at a glance that it may stand: it begins with `http://`, `https://` or `/`, and has
  /// nothing to change but `&`. False, and nothing is appended, for others: they are to be judged.
  ///
  /// At least `padding` bytes behind the source can be read. Most URLs are such, and cost about what plain text does.
  @inline(__always)
  mutating func appendPlainURL(_ source: UnsafeRawBufferPointer) -> Bool {
    guard let start = source.baseAddress, source.count >= 8 else { return false }
    let word = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    let isPlain =
      word == 0x2F2F_3A73_7074_7468  // https://
      || word & 0xFF_FFFF_FFFF_FFFF == 0x2F_2F3A_7074_7468  // http://
      || UInt8(truncatingIfNeeded: word) == UInt8(ascii: "/")
    guard isPlain else { return false }
    let clean = appendClean(source) { cf_url_mask($0) }
    if clean == source.count { return true }
    if appendURLWithAmpersands(UnsafeRawBufferPointer(rebasing: source[clean...])) { return true }
    truncate(to: count &- clean)
    return false
  }

  @inline(never)
  private mutating func appendURLWithAmpersands(_ source: UnsafeRawBufferPointer) -> Bool {
    append(source, mask: { cf_url_mask($0) }) { byte in
      byte == UInt8(ascii: "&") ? (0x3B_706D_6126, 5) : nil  // &amp;
    }
  }

  /// Appends a URL whose scheme is allowed, or that has none.
  mutating func appendURL(_ url: URLText, allowing schemes: AllowedSchemes) {
    if let scheme = url.scheme, !schemes.contains(scheme) {
      append(Self.refusedURL)
    } else {
      appendURLPart(url.bytes)
    }
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
  mutating func appendURLList(_ list: UnsafeRawBufferPointer, allowing schemes: AllowedSchemes) {
    var isFirst = true
    for item in list.split(whereSeparator: \.isHTMLSpace) {
      let url = URLText(UnsafeRawBufferPointer(rebasing: item))
      if url.bytes.isEmpty { continue }
      if !isFirst { append(byte: UInt8(ascii: " ")) }
      isFirst = false
      appendURL(url, allowing: schemes)
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
  mutating func appendURLPart(_ source: UnsafeRawBufferPointer) {
    append(source, marks: WordMarks.notURL) { buffer, bytes, left in
      // The bytes behind the source are readable, but no part of it.
      switch bytes.load(as: UInt8.self) {
      case UInt8(ascii: "&"):
        buffer.appendShort(0x3B_706D_6126, count: 5, before: left - 1)  // &amp;
        return 1
      case UInt8(ascii: "%") where left >= 3 && Self.isHex(bytes + 1) && Self.isHex(bytes + 2):
        buffer.appendShort(bytes.loadUnaligned(as: UInt64.self), count: 3, before: left - 3)
        return 3
      default:
        return buffer.appendPercentEncodedRun(bytes, left)
      }
    }
  }

  /// Appends text in a URL's query or fragment: all is percent-encoded but unreserved characters.
  mutating func appendURLComponent(_ source: UnsafeRawBufferPointer) {
    append(source, marks: WordMarks.notUnreserved) { buffer, bytes, left in
      buffer.appendPercentEncodedRun(bytes, left)
    }
  }

  /// Appends the byte percent-encoded, and those of a character that is not ASCII behind it; how many it took.
  @inline(__always)
  private mutating func appendPercentEncodedRun(_ bytes: UnsafeRawPointer, _ left: Int) -> Int {
    var count = 0
    repeat {
      appendPercentEncoded(bytes.load(fromByteOffset: count, as: UInt8.self), before: left - count - 1)
      count += 1
    } while count < left && bytes.load(fromByteOffset: count, as: UInt8.self) >= 0x80
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
