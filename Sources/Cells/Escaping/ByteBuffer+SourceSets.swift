import CellTemplates

/// `srcset` and `imagesrcset`: lists of candidate images.
extension ByteBuffer {
  /// Appends a whole set or a candidate's URL. Every URL is checked, and invalid descriptors are omitted.
  ///
  /// The set is rewritten with `, ` between candidates, so that browsers find exactly the candidates that
  /// were checked.
  mutating func appendSourceSet(_ source: UnsafeRawBufferPointer, allowing schemes: AllowedSchemes) {
    if source.count > Self.mostJudgedBytes {
      append(Self.refusedURL)
      return
    }
    var isFirst = true
    for candidate in SourceSetCandidates(source) {
      if !isFirst { append(", ") }
      isFirst = false
      appendURL(candidate.url, allowing: schemes)
      if candidate.descriptor.isEmpty || !Self.isSourceDescriptor(candidate.descriptor) { continue }
      append(byte: UInt8(ascii: " "))
      append(candidate.descriptor)
    }
  }

  /// Appends the start of a candidate's URL that continues after the value.
  mutating func appendSourceURL(_ url: URLText, allowing schemes: AllowedSchemes) {
    if url.isAllowed(by: schemes) { appendSourcePart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a part of a candidate's URL like `appendURLPart`, with commas percent-encoded so that none ends
  /// the candidate.
  mutating func appendSourcePart(_ source: UnsafeRawBufferPointer) {
    var rest = source[...]
    while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
      appendURLPart(UnsafeRawBufferPointer(rebasing: rest[..<comma]))
      append("%2C")
      rest = rest[(comma + 1)...]
    }
    appendURLPart(UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Appends the descriptors of a candidate whose URL precedes the value. Anything else is omitted.
  mutating func appendSourceDescriptor(_ source: UnsafeRawBufferPointer) {
    if Self.isSourceDescriptor(source) { append(source) }
  }

  /// Whether it consists of letters, digits, spaces and dots.
  private static func isSourceDescriptor(_ source: UnsafeRawBufferPointer) -> Bool {
    source.count <= mostJudgedBytes
      && source.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
  }
}
