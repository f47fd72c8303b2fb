/// Client text quoted in an error's `detail`.
enum Excerpt {
  /// Longer text is cut, so that a large mistake does not make a large error.
  static let limitBytes = 80

  /// The text in double quotes, with invalid UTF-8 repaired, cut after `limitBytes`.
  static func quoted(_ text: borrowing Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for position in 0..<min(text.count, limitBytes) { bytes.append(text[position]) }
    let cut = String(decoding: bytes, as: UTF8.self)
    return text.count > limitBytes ? "\"\(cut)…\"" : "\"\(cut)\""
  }

  static func quoted(_ text: UnsafeRawBufferPointer) -> String {
    // The span borrows the caller's memory during this call.
    text.withMemoryRebound(to: UInt8.self) { quoted($0.span) }
  }

  static func quoted(_ text: String) -> String {
    let view = text.utf8
    return quoted(view.span)
  }
}
