import CellTemplates

/// The languages of an `Accept-Language` header (RFC 9110, section 12.5.4).
enum AcceptedLanguages {
  /// More ranges are not read.
  private static let limit = 32

  /// The tags, best first. Ranges that are malformed, `*`, and what is excluded by `q=0` are passed over.
  static func tags(_ header: String?) -> [LocaleTag] {
    guard let header else { return [] }
    var found: [(tag: LocaleTag, quality: Int)] = []
    for range in header.utf8.split(separator: UInt8(ascii: ","), maxSplits: 4 * limit) {
      if found.count == limit { break }
      let parts = range.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
      let quality = parts.count == 2 ? self.quality(parts[1]) : 1000
      guard let quality, quality > 0, let tag = LocaleTag(trimmed(parts[0])) else { continue }
      found.append((tag, quality))
    }
    // The order decides between equals: sorting is stable.
    return found.sorted { $0.quality > $1.quality }.map(\.tag)
  }

  /// `q=0.5` in thousandths; nil if it is malformed.
  private static func quality(_ parameter: Substring.UTF8View) -> Int? {
    let text = trimmed(parameter)
    guard let first = text.first, first | 0x20 == UInt8(ascii: "q"),
      text.dropFirst().first == UInt8(ascii: "=")
    else { return nil }
    let digits = text.dropFirst(2)
    guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"),
      digits.count <= 5
    else { return nil }
    var thousandths = whole == UInt8(ascii: "1") ? 1000 : 0
    if digits.count == 1 { return thousandths }
    guard digits.dropFirst().first == UInt8(ascii: ".") else { return nil }
    var weight = 100
    for digit in digits.dropFirst(2) {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      thousandths += Int(digit - UInt8(ascii: "0")) * weight
      weight /= 10
    }
    return thousandths <= 1000 ? thousandths : nil
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text
    while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }
}
