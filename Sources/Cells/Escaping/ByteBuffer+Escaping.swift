import CEscape
package import CellTemplates

/// Escapes while copying in a single pass: vectors of bytes are stored and checked together.
extension ByteBuffer {
  /// Appends `source` through any escaper except `json`, which takes values instead of text. At least
  /// `padding` bytes after the source must be readable. Linear time.
  ///
  /// Not inlined into the renderer's loop, because escaping costs more than a call.
  ///
  /// - Parameter schemes: the schemes allowed in URLs.
  @inline(never)
  package mutating func append(
    _ source: UnsafeRawBufferPointer, through escaper: Escaper, allowing schemes: AllowedSchemes
  ) {
    switch escaper {
    case .html: appendHTML(source)
    case .attribute: appendAttribute(source)
    case .text: append(source) { cf_escape_text($0, $1, $2, $3) }
    case .rawHTML: append(source) { cf_escape_raw_html($0, $1, $2, $3) }
    case .none: append(source)
    case .url: appendURL(URLText(source), allowing: schemes)
    case .urlPart: appendURLPart(source)
    case .urlComponent: appendURLComponent(source)
    case .urlPathComponent: appendURLPathComponent(source)
    case .urlAfterSlash: appendURLAfterSlash(source)
    case .urlSegment: appendURLSegment(source)
    case .sameOriginURL: appendSameOriginURL(URLText(source))
    case .fragmentURL: appendFragmentURL(URLText(source))
    case .urlList: appendURLList(source, allowing: schemes)
    case .srcset: appendSourceSet(source, allowing: schemes)
    case .srcsetDescriptor: appendSourceDescriptor(source)
    case .srcsetURL: appendSourceURL(URLText(source), allowing: schemes)
    case .srcsetPart: appendSourcePart(source)
    case .srcsetAfterSlash: appendSourcePart(appendingSlashes(of: source))
    case .srcsetSegment:
      if source.isEmpty {
        append(byte: UInt8(ascii: "."))
      } else {
        appendSourcePart(appendingSlashes(of: source))
      }
    case .urlHost: appendURLHost(source)
    case .style: appendStyleValue(source)
    case .selectorName: appendSelectorName(source)
    case .discard: break
    case .json: preconditionFailure("JSON is made from values, not from text")
    }
  }

  /// Appends `source` with some of its bytes replaced. At least `padding` bytes after it must be readable.
  ///
  /// - Parameter escape: an escaper of `CEscape`. It copies to its first argument, up to the second, from the
  ///   third, up to the fourth. It reads and writes at most `padding` bytes beyond these ends.
  @inline(__always)
  mutating func append(
    _ source: UnsafeRawBufferPointer,
    escape: (
      UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    ) -> cf_progress
  ) {
    guard let start = source.baseAddress else { return }
    // The memory is bound as bytes.
    var next = start.assumingMemoryBound(to: UInt8.self)
    let sourceEnd = next + source.count
    reserve(source.count)
    while true {
      let target = end.assumingMemoryBound(to: UInt8.self)
      let progress = escape(target, target + (capacity &- count), next, sourceEnd)
      setEnd(progress.target)
      if progress.source == sourceEnd { return }
      next = progress.source
      reserve(sourceEnd - next + Int(CF_ESCAPE_GROWTH))
    }
  }

  /// Appends `source` as element text. At least `padding` bytes after it must be readable.
  @inline(never)
  mutating func appendHTML(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_html($0, $1, $2, $3) }
  }

  /// Appends `source` as the value of a quoted attribute. At least `padding` bytes after it must be readable.
  @inline(never)
  private mutating func appendAttribute(_ source: UnsafeRawBufferPointer) {
    append(source) { cf_escape_attribute($0, $1, $2, $3) }
  }
}
