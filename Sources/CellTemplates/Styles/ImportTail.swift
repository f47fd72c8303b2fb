/// What follows `@import`, as far as it has been read: the URL, `layer` and `supports(…)`, then media queries.
struct ImportTail {
  private(set) var url: String?
  private(set) var layer: [UInt8] = []
  private(set) var media: [UInt8] = []
  /// Whether the URL is a string in `url(…)`, whose parenthesis is still open.
  private var isInFunction = false
  /// Whether more than white space is in `media`.
  private var hasMedia = false
  /// Whether the pieces belong to `layer`.
  private var isInLayer = false

  mutating func add(_ piece: StyleReader.Piece, of reader: StyleReader) {
    if url == nil {
      url = piece.reference.map { reader.text(of: $0) }
      isInFunction = url != nil && piece.depth > 0
      return
    }
    if isInFunction {
      if piece.depth == 0 { isInFunction = false }
      return
    }
    let text = reader.bytes[piece.range]
    if piece.depth == 0, !hasMedia {
      let isNamed = piece.token == .word || piece.token == .function
      isInLayer = isNamed ? ["layer", "supports"].contains(reader.name) : isInLayer && isBracket(piece.token)
      if isInLayer, isNamed { layer.append(0x20) }
    }
    if isInLayer {
      layer += text
    } else if piece.token == .comment {
      media.append(0x20)
    } else {
      media += text
      if !hasMedia { hasMedia = !text.allSatisfy(StyleScanner.isSpace) }
    }
  }

  private func isBracket(_ token: StyleScanner.Token) -> Bool {
    if case .close = token { true } else { false }
  }

  /// Closes what is open at the end of the text.
  mutating func end(with closing: [UInt8]) {
    // Nothing comes after the URL, which is written anew.
    if layer.isEmpty && media.isEmpty { return }
    if isInLayer { layer += closing } else { media += closing }
  }
}
