/// Markup that starts with `<!`: comments with all their endings, declarations, CDATA sections.
extension HTMLTokenizer {
  mutating func stepDeclaration(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink)
    -> Bool
  {
    let next = name + [byte]
    if next == Array("--".utf8) {
      mode = .commentStart
    } else if next == Array("[CDATA[".utf8) {
      sink.fault(isForeign ? .cdata : .cdataInHTML, at: starts.markup)
      mode = isForeign ? .cdata : .bogusComment
    } else if next.map(Self.lowercased) == Array("doctype".utf8) {
      sink.fault(.doctype, at: starts.markup)
      mode = .bogusComment
    } else if Array("--".utf8).starts(with: next) || Array("[CDATA[".utf8).starts(with: next)
      || Array("doctype".utf8).starts(with: next.map(Self.lowercased))
    {
      name = next
      return true
    } else {
      name = []
      mode = .bogusComment
      return false
    }
    name = []
    return true
  }

  mutating func stepComment(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    let isEnd = byte == UInt8(ascii: ">")
    let isDash = byte == UInt8(ascii: "-")
    switch mode {
    case .bogusComment where !isEnd, .comment where !isDash: return true
    case .bogusComment,
      .commentStart where isEnd, .commentStartDash where isEnd, .commentEnd where isEnd,
      .commentEndBang where isEnd:
      mode = .text
      sink.comment(startingAt: starts.markup, endingAt: offset + 1)
    case .commentStart where isDash: mode = .commentStartDash
    case .commentStartDash where isDash, .commentEndDash where isDash, .commentEnd where isDash:
      mode = .commentEnd
    case .comment,
      .commentEndBang where isDash:
      mode = .commentEndDash
    case .commentEnd where byte == UInt8(ascii: "!"): mode = .commentEndBang
    default: mode = .comment
    }
    return true
  }

  mutating func stepCDATA(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    switch mode {
    case .cdata: if byte == UInt8(ascii: "]") { mode = .cdataBracket }
    case .cdataBracket: mode = byte == UInt8(ascii: "]") ? .cdataEnd : .cdata
    default:
      if byte == UInt8(ascii: ">") { mode = .text } else if byte != UInt8(ascii: "]") { mode = .cdata }
    }
    return true
  }
}
