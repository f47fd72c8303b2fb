import CellTemplates

/// A long text on its way through an escaper, part by part: a value of megabytes must not keep others waiting.
///
/// All parts together print what `ByteBuffer.append(_:through:allowing:)` prints in one go.
struct LongText: BitwiseCopyable {
  /// Texts of more bytes are printed in parts.
  static let leastBytes = 64 << 10
  /// Bytes of text in one part. They take 0.2 ms at most.
  private static let partBytes = 32 << 10

  private var escaper: Escaper
  private var done = 0
  /// Where the text ends that is printed; nil until the first part has been.
  private var end: Int?

  init(through escaper: Escaper) { self.escaper = escaper }

  /// Appends the next part.
  /// - Parameter text: all of the text; at least `padding` bytes after it can be read. It may have moved since.
  /// - Returns: true when the text is complete.
  mutating func appendPart(
    of text: UnsafeRawBufferPointer, to output: inout ByteBuffer, allowing schemes: AllowedSchemes
  ) -> Bool {
    let end = self.end ?? begin(text, to: &output, allowing: schemes)
    self.end = end
    let partEnd = Self.partEnd(of: text, from: done, before: end)
    let part = UnsafeRawBufferPointer(rebasing: text[done..<partEnd])
    done = partEnd
    if escaper.takesJSON {
      output.appendScriptJSON(part)
    } else if !part.isEmpty {
      output.append(part, through: escaper, allowing: schemes)
    }
    if escaper.endsAfterSlashes, !part.allSatisfy(\.isURLSlash) { escaper = escaper.continued }
    return done == end
  }

  /// Judges what is judged as a whole.
  /// - Returns: where the text ends that is printed.
  private mutating func begin(
    _ text: UnsafeRawBufferPointer, to output: inout ByteBuffer, allowing schemes: AllowedSchemes
  ) -> Int {
    switch escaper {
    case .url, .srcsetURL, .sameOriginURL, .fragmentURL:
      return beginURL(text, to: &output, allowing: schemes)
    case .urlList, .srcset, .srcsetDescriptor, .urlHost, .style:
      // Too long for what they are: refused at once.
      output.append(text, through: escaper, allowing: schemes)
      done = text.count
      return done
    case .urlSegment:
      escaper = .urlAfterSlash
      return text.count
    case .srcsetSegment:
      escaper = .srcsetAfterSlash
      return text.count
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

  /// Where a part ends. It cuts no character, and no `%xx`.
  private static func partEnd(of text: UnsafeRawBufferPointer, from start: Int, before end: Int) -> Int {
    if end - start <= partBytes { return end }
    var partEnd = start + partBytes
    for _ in 0..<3 where text[partEnd] & 0xC0 == 0x80 { partEnd -= 1 }
    for distance in 1...2 where text[partEnd - distance] == UInt8(ascii: "%") { return partEnd - distance }
    return partEnd
  }
}

extension Escaper {
  /// What escapes the rest of a text whose beginning this one has judged and escaped.
  var continued: Escaper {
    switch self {
    case .url, .sameOriginURL, .fragmentURL, .urlAfterSlash, .urlSegment: .urlPart
    case .srcsetURL, .srcsetAfterSlash, .srcsetSegment: .srcsetPart
    default: self
    }
  }

  /// Whether it treats the slashes at the beginning otherwise.
  fileprivate var endsAfterSlashes: Bool {
    switch self {
    case .urlAfterSlash, .srcsetAfterSlash: true
    default: false
    }
  }
}
