/// The paths of outlets, conditions and bindings.
enum NibPath {
  /// The names of a path: dotted names, or `.`. nil if it has none, empty ones, white space or control characters.
  static func name(_ text: some Collection<UInt8>) -> MustacheName? {
    guard NameRule.fault(in: text) == nil, !text.contains(where: MustacheScanner.isSpace) else { return nil }
    if text.elementsEqual(".".utf8) { return MustacheName(segments: ["."]) }
    let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return segments.contains("") ? nil : MustacheName(segments: segments)
  }
}
