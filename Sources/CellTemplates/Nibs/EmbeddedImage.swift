/// An image stored in a cell as a data URI.
package enum EmbeddedImage {
  /// `data:image/png;base64,…`; nil unless the bytes are SVG, PNG, JPEG, GIF, WebP or AVIF.
  static func dataURI(of bytes: [UInt8]) -> [UInt8]? {
    guard let type = mediaType(of: bytes) else { return nil }
    return Array("data:\(type);base64,".utf8) + base64(bytes)
  }

  /// The beginning of a file that `mayBegin` judges, in bytes.
  package static let beginningBytes = 64

  /// Whether a file that begins so may be an image.
  package static func mayBegin(with bytes: [UInt8]) -> Bool {
    let text = bytes.drop { HTMLTokenizer.isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
    let isCut = text.isEmpty && bytes.count == beginningBytes
    return mediaType(of: bytes) != nil || text.first == UInt8(ascii: "<") || isCut
  }

  /// Determined from the content, not from the file's name.
  static func mediaType(of bytes: [UInt8]) -> String? {
    func holds(_ text: [UInt8], at position: Int) -> Bool {
      bytes.count >= position + text.count && bytes[position..<position + text.count].elementsEqual(text)
    }
    if holds([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return "image/png" }
    if holds([0xFF, 0xD8, 0xFF], at: 0) { return "image/jpeg" }
    if holds(Array("GIF87a".utf8), at: 0) || holds(Array("GIF89a".utf8), at: 0) { return "image/gif" }
    if holds(Array("RIFF".utf8), at: 0), holds(Array("WEBP".utf8), at: 8) { return "image/webp" }
    if holds(Array("ftyp".utf8), at: 4), holds(Array("avif".utf8), at: 8) || holds(Array("avis".utf8), at: 8)
    {
      return "image/avif"
    }
    return isSVG(bytes) ? "image/svg+xml" : nil
  }

  /// Whether the first element is `svg`, after a declaration, comments and a document type.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var rest = Substring(text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
    while true {
      rest = rest.drop(while: \.isWhitespace)
      let end: String
      if rest.hasPrefix("<?") {
        end = "?>"
      } else if rest.hasPrefix("<!--") {
        end = "-->"
      } else if rest.hasPrefix("<!") {
        end = ">"
      } else {
        guard rest.hasPrefix("<svg"), let next = rest.dropFirst(4).first else { return false }
        return next.isWhitespace || next == ">" || next == "/"
      }
      guard let found = rest.firstRange(of: end) else { return false }
      rest = rest[found.upperBound...]
    }
  }

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = 0
      for byte in group { word = word << 8 | Int(byte) }
      word <<= 8 * (3 - group.count)
      for position in 0..<4 {
        let isPadding = position > group.count
        text.append(isPadding ? UInt8(ascii: "=") : digits[word >> (18 - 6 * position) & 63])
      }
    }
    return text
  }
}
