/// Element text, and the end of text that only its own end tag ends.
extension HTMLTokenizer {
  mutating func readText(
    _ offset: inout Int, to end: Int, _ bytes: [UInt8], _ sink: inout some HTMLTokenSink
  ) {
    let start = offset
    if content == .data || content == .plaintext {
      while offset < end {
        let byte = bytes[offset]
        if byte == 0 { sink.fault(.nul, at: offset) }
        if byte == UInt8(ascii: "<"), content == .data { break }
        offset += 1
      }
      if offset > start { sink.text(start..<offset, in: content) }
      if offset < end {
        starts.markup = offset
        mode = .tagOpen
        offset += 1
      }
      return
    }
    // The `<` of an earlier run that may still start the end tag.
    var undecided = matched > 0 ? starts.markup : nil
    while offset < end {
      let byte = bytes[offset]
      if byte == 0 { sink.fault(.nul, at: offset) }
      let isEnd = matchesEnd(byte, at: offset, &sink)
      if let less = undecided, matched < 2 {
        sink.text(less..<less + 1, in: content)
        undecided = nil
      }
      if isEnd {
        let markup = starts.markup
        if markup > start { sink.text(start..<markup, in: content) }
        beginClosingTag(&sink)
        return
      }
      offset += 1
    }
    sink.text(start..<(matched > 0 ? max(start, starts.markup) : end), in: content)
  }

  /// Matches `</name` in RCDATA and raw text. Returns true at the byte after it, if that ends the name.
  private mutating func matchesEnd(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    if content == .script {
      let opener: [UInt8] = [0x3C, 0x21, 0x2D, 0x2D]
      name = name.count < 4 && byte == opener[name.count] ? name + [byte] : byte == opener[0] ? [byte] : []
      if name.count == 4 {
        sink.fault(.commentInScript, at: offset - 3)
        name = []
      }
    }
    if matched == closing.count + 2,
      Self.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    {
      return true
    }
    switch matched {
    case 1 where byte == UInt8(ascii: "/"): matched = 2
    case 2..<(closing.count + 2) where Self.lowercased(byte) == closing[matched - 2]: matched += 1
    default:
      matched = byte == UInt8(ascii: "<") ? 1 : 0
      if matched == 1 { starts.markup = offset }
    }
    return false
  }

  mutating func beginClosingTag(_ sink: inout some HTMLTokenSink) {
    sink.tagName(closing, isEnd: true, at: starts.markup)
    isEndTag = true
    content = .data
    closing = []
    name = []
    matched = 0
    mode = .beforeName
  }
}
