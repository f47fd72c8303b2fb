import CellTemplates

/// Escapes a long text part by part, so that a value of megabytes does not delay other requests.
///
/// The parts together are the same as the output of `ByteBuffer.append(_:through:allowing:)`.
struct LongText: BitwiseCopyable {
  /// Texts longer than this are printed in parts, and those that take longer for a byte even if they are shorter.
  static let leastBytes = 64 << 10
  /// The length of one part in bytes, shorter for those. It takes at most 0.6 ms.
  private static let partBytes = 32 << 10

  private var escaper: Escaper
  private var done = 0
  /// The end of the text to print; nil before the first part.
  private var end: Int?
  /// Whether no URL of a list is printed yet.
  private var isFirstURL = true

  /// Whether a text of so many bytes is printed in parts.
  static func isNeeded(for count: Int, through escaper: Escaper) -> Bool {
    count * escaper.workPerByte > leastBytes
  }

  init(through escaper: Escaper) { self.escaper = escaper }

  /// Appends the next part.
  /// - Parameter text: the whole text, which may have moved since the last call. At least `padding` bytes
  ///   after it must be readable.
  /// - Returns: true if the text is complete.
  mutating func appendPart(
    of text: UnsafeRawBufferPointer, to output: inout ByteBuffer, allowing schemes: AllowedSchemes
  ) -> Bool {
    let end = self.end ?? begin(text, to: &output, allowing: schemes)
    self.end = end
    let isList = escaper == .urlList
    let partEnd =
      isList
      ? Self.listPartEnd(of: text, from: done, before: end) : Self.partEnd(of: text, from: done, before: end)
    let part = UnsafeRawBufferPointer(rebasing: text[done..<partEnd])
    done = partEnd
    if escaper.takesJSON {
      output.appendScriptJSON(part)
    } else if isList {
      output.appendURLs(of: part, isFirst: &isFirstURL, allowing: schemes)
    } else if !part.isEmpty {
      output.append(part, through: escaper, allowing: schemes)
    }
    if escaper.endsAfterSlashes, !part.allSatisfy({ $0.isURLSlash }) { escaper = escaper.continued }
    return done == end
  }

  /// Does the checks that apply to the whole text.
  /// - Returns: the end of the text to print.
  private mutating func begin(
    _ text: UnsafeRawBufferPointer, to output: inout ByteBuffer, allowing schemes: AllowedSchemes
  ) -> Int {
    if escaper.refusesLongValues {
      output.append(text, through: escaper, allowing: schemes)
      done = text.count
      return done
    }
    switch escaper {
    case .url, .srcsetURL, .sameOriginURL, .fragmentURL:
      return beginURL(text, to: &output, allowing: schemes)
    case .urlPathComponent:
      escaper = escaper.continued
      return text.count
    case .urlSegment:
      escaper = .urlAfterSlash
      return text.count
    case .srcsetSegment:
      escaper = .srcsetAfterSlash
      return text.count
    case .urlList where text.count > ByteBuffer.mostJudgedBytes:
      output.append(ByteBuffer.refusedURL)
      done = text.count
      return done
    case .discard:
      done = text.count
      return done
    default:
      return text.count
    }
  }

  private mutating func beginURL(
    _ text: UnsafeRawBufferPointer, to output: inout ByteBuffer, allowing schemes: AllowedSchemes
  ) -> Int {
    let url = URLText(text)
    let isAllowed =
      switch escaper {
      case .sameOriginURL: url.isInSameOrigin
      case .fragmentURL: url.isFragment
      default: url.isAllowed(by: schemes)
      }
    guard isAllowed, let start = text.baseAddress, let urlStart = url.bytes.baseAddress else {
      output.append(ByteBuffer.refusedURL)
      done = text.count
      return done
    }
    escaper = escaper.continued
    done = urlStart - start
    return done + url.bytes.count
  }

  /// The end of a part. Parts never split a character or a `%xx`.
  private static func partEnd(of text: UnsafeRawBufferPointer, from start: Int, before end: Int) -> Int {
    if end - start <= partBytes { return end }
    var partEnd = start + partBytes
    for _ in 0..<3 where text[partEnd] & 0xC0 == 0x80 { partEnd -= 1 }
    for distance in 1...2 where text[partEnd - distance] == UInt8(ascii: "%") { return partEnd - distance }
    return partEnd
  }

  /// The end of a part of a list of URLs, which splits no URL: a long one takes less than many short ones.
  private static func listPartEnd(of text: UnsafeRawBufferPointer, from start: Int, before end: Int) -> Int {
    var partEnd = start + partBytes / Escaper.urlList.workPerByte
    while partEnd < end, !text[partEnd].isHTMLSpace { partEnd += 1 }
    return min(partEnd, end)
  }
}

extension Escaper {
  /// The escaper for the rest of a text whose start this one has checked and escaped.
  var continued: Escaper {
    switch self {
    case .url, .sameOriginURL, .fragmentURL, .urlAfterSlash, .urlSegment: .urlPart
    case .urlPathComponent: .urlComponent
    case .srcsetURL, .srcsetAfterSlash, .srcsetSegment: .srcsetPart
    default: self
    }
  }

  /// Whether it treats leading slashes differently.
  fileprivate var endsAfterSlashes: Bool {
    switch self {
    case .urlAfterSlash, .srcsetAfterSlash: true
    default: false
    }
  }
}
