import CellTemplates

/// `srcset` and `imagesrcset`: images to choose from.
extension ByteBuffer {
  /// Appends a whole set or a candidate's URL: every URL is judged; a descriptor that is none is left out.
  ///
  /// Written anew, with `, ` between candidates, so that a browser finds the very candidates that were judged.
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

  /// Appends the beginning of a candidate's URL, of which the value is not all.
  mutating func appendSourceURL(_ url: URLText, allowing schemes: AllowedSchemes) {
    if url.isAllowed(by: schemes) { appendSourcePart(url.bytes) } else { append(Self.refusedURL) }
  }

  /// Appends a part of a candidate's URL as `appendURLPart`, its commas percent-encoded: none may end the candidate.
  mutating func appendSourcePart(_ source: UnsafeRawBufferPointer) {
    var rest = source[...]
    while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
      appendURLPart(UnsafeRawBufferPointer(rebasing: rest[..<comma]))
      append("%2C")
      rest = rest[(comma + 1)...]
    }
    appendURLPart(UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Appends descriptors of a candidate whose URL stands before the hole; anything else is left out.
  mutating func appendSourceDescriptor(_ source: UnsafeRawBufferPointer) {
    if Self.isSourceDescriptor(source) { append(source) }
  }

  /// Whether all are letters, digits, spaces and dots.
  private static func isSourceDescriptor(_ source: UnsafeRawBufferPointer) -> Bool {
    source.count <= mostJudgedBytes
      && source.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
  }
}
