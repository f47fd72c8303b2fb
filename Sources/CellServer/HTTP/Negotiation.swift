/// Chooses the format of an answer (RFC 9110, section 12.5.1).
package enum Negotiation {
  /// The bytes of an `Accept` header that are read. Browsers send some hundred; a turn reads those of many clients.
  private static let readBytes = 2048

  /// The best acceptable format; nil if none is acceptable.
  ///
  /// - Parameters:
  ///   - requested: from `?format=`; takes precedence over `accept`.
  ///   - accept: the `Accept` header, its lines joined. If it is absent, empty or has no well-formed
  ///     element, every format is acceptable.
  ///   - available: not empty, the preferred format first. The order decides between equal q-values.
  package static func format<Format: NegotiableFormat>(
    requested: Format?, accept: String?, available: [Format]
  ) -> Format? {
    if let requested { return available.contains(requested) ? requested : nil }
    guard let accept, accept != "*/*" else { return available.first }
    var best = [Match?](repeating: nil, count: available.count)
    guard judge(accept, available, &best) else { return available.first }
    var chosen: (format: Format, quality: Int)?
    for (format, match) in zip(available, best) {
      guard let match, match.quality > (chosen?.quality ?? 0) else { continue }
      chosen = (format, match.quality)
    }
    return chosen?.format
  }

  /// Whether the `Accept` header names the media type of a format, and not only ranges that it is in.
  package static func names(_ format: some NegotiableFormat, in accept: String?) -> Bool {
    guard let accept else { return false }
    var scanner = HeaderScanner(accept, limitBytes: readBytes)
    while true {
      let before = scanner
      if let range = MediaType(&scanner) {
        if range.type == format.type, range.subtype == format.subtype { return true }
      } else {
        scanner = before
        scanner.skipElement()
      }
      guard scanner.take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// The problem to answer with when `format` returns nil.
  package static func problem(available: [some NegotiableFormat]) -> Problem {
    let list = available.map { "\($0.mediaType) (?format=\($0.name))" }.joined(separator: ", ")
    return Problem(
      .notAcceptable, detail: "none of the requested formats is available; available: \(list)")
  }

  /// The quality given by the most specific range so far.
  private struct Match {
    var specificity: Int
    /// In thousandths; 0 excludes the format.
    var quality: Int
  }

  /// Fills `best`, in parallel to `available`. Returns false if the list has no well-formed element.
  private static func judge(
    _ accept: String, _ available: [some NegotiableFormat], _ best: inout [Match?]
  ) -> Bool {
    var scanner = HeaderScanner(accept, limitBytes: readBytes)
    var isUsable = false
    while true {
      let before = scanner
      if let range = MediaType(&scanner) {
        if let quality = quality(of: range) {
          isUsable = true
          for (position, format) in available.enumerated() {
            guard let specificity = specificity(of: range, for: format, quality: quality) else { continue }
            if let known = best[position], (known.specificity, known.quality) >= (specificity, quality) {
              continue
            }
            best[position] = Match(specificity: specificity, quality: quality)
          }
        }
      } else {
        scanner = before
        scanner.skipElement()
      }
      guard scanner.take(UInt8(ascii: ",")) else { return isUsable }
    }
  }

  /// How specifically the range matches the format; nil if it does not match.
  ///
  /// A range with parameters that our answers do not have still matches the type, but is less specific than
  /// one without. With a quality of 0 it does not match, because it excludes something other than our
  /// answers.
  private static func specificity(of range: MediaType, for format: some NegotiableFormat, quality: Int)
    -> Int?
  {
    if range.type == "*" { return range.subtype == "*" ? 0 : nil }
    guard range.type == format.type else { return nil }
    if range.subtype == "*" { return 1 }
    guard range.subtype == format.subtype else { return nil }
    for parameter in range.parameters {
      if parameter.name == "q" { break }
      if parameter.name == "charset" && MediaType.isUTF8(charset: parameter.value) { continue }
      return quality == 0 ? nil : 2
    }
    return 3
  }

  /// In thousandths; 1000 if there is no `q`; nil if malformed.
  private static func quality(of range: MediaType) -> Int? {
    guard let weight = range.parameters.first(where: { $0.name == "q" }) else { return 1000 }
    return quality(weight.value)
  }

  /// More lenient than the grammar: accepts `.5` and more than three digits. A value above 0 never rounds to
  /// 0.
  private static func quality(_ text: String) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.count == 2 ? Array(parts[1].utf8) : []
    guard parts[0] == "0" || parts[0] == "1" || (parts[0].isEmpty && !digits.isEmpty),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    var thousandths = 0
    for position in 0..<3 {
      thousandths =
        thousandths * 10 + (position < digits.count ? Int(digits[position] - UInt8(ascii: "0")) : 0)
    }
    let isZero = digits.allSatisfy { $0 == UInt8(ascii: "0") }
    if parts[0] == "1" { return isZero ? 1000 : nil }
    return isZero ? 0 : max(thousandths, 1)
  }
}
