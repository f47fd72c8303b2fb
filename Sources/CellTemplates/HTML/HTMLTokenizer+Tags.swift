/// Tags: names, attributes and their ends.
extension HTMLTokenizer {
  mutating func stepTagOpen(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    switch byte {
    case UInt8(ascii: "/"): mode = .endTagOpen
    case UInt8(ascii: "!"):
      name = []
      mode = .markupDeclaration
    case UInt8(ascii: "?"): mode = .bogusComment
    case _ where Self.isLetter(byte): beginTag(byte, isEnd: false)
    default:
      mode = .text
      sink.text(starts.markup..<starts.markup + 1, in: content)
      return false
    }
    return true
  }

  mutating func stepEndTagOpen(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink)
    -> Bool
  {
    switch byte {
    case UInt8(ascii: ">"):
      sink.comment(startingAt: starts.markup, endingAt: offset + 1)
      mode = .text
    case _ where Self.isLetter(byte): beginTag(byte, isEnd: true)
    default: mode = .bogusComment
    }
    return true
  }

  mutating func beginTag(_ byte: UInt8, isEnd: Bool) {
    name = [Self.lowercased(byte)]
    isEndTag = isEnd
    mode = .tagName
  }

  mutating func stepTag(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    switch byte {
    case _ where Self.isSpace(byte):
      switch mode {
      case .tagName: endName(&sink)
      case .attributeName:
        endName(&sink)
        mode = .afterName
        return true
      case .afterName, .beforeValue: return true
      default: break
      }
      mode = .beforeName
    case UInt8(ascii: "/") where mode != .beforeValue:
      endAttribute(at: offset, &sink)
      mode = .selfClosing
    case UInt8(ascii: ">"):
      if mode == .beforeValue { sink.fault(.missingValue, at: offset) }
      if mode == .beforeValue { sink.attributeEnd(at: offset) }
      let isSelfClosing = mode == .selfClosing
      endAttribute(at: offset, &sink)
      endTag(isSelfClosing: isSelfClosing, at: offset + 1, &sink)
    default: return stepNames(byte, at: offset, &sink)
    }
    return true
  }

  /// Handles a byte of a tag other than white space, slash or `>`.
  mutating func stepNames(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    switch mode {
    case .tagName:
      if byte == UInt8(ascii: "<") { sink.fault(.lessInName, at: offset) }
      name.append(Self.lowercased(byte))
    case .attributeName where byte == UInt8(ascii: "="):
      endName(&sink)
      mode = .beforeValue
    case .attributeName:
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<") {
        sink.fault(.quoteInName, at: offset)
      }
      name.append(Self.lowercased(byte))
    case .afterName where byte == UInt8(ascii: "="): mode = .beforeValue
    case .beforeValue where byte == UInt8(ascii: "\""): mode = .doubleQuoted
    case .beforeValue where byte == UInt8(ascii: "'"): mode = .singleQuoted
    case .beforeValue:
      mode = .unquoted
      return false
    default:
      if mode == .nameClosed { sink.fault(.joinedName, at: offset) }
      if byte == UInt8(ascii: "=") { sink.fault(.equalsBeforeName, at: offset) }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<") {
        sink.fault(.quoteInName, at: offset)
      }
      endAttribute(at: offset, &sink)
      name = [Self.lowercased(byte)]
      starts.name = offset
      mode = .attributeName
    }
    return true
  }

  /// Reports a complete name.
  mutating func endName(_ sink: inout some HTMLTokenSink) {
    if mode == .tagName {
      sink.tagName(name, isEnd: isEndTag, at: starts.markup)
    } else {
      sink.attributeName(name, at: starts.name)
    }
    name = []
  }

  /// Ends an attribute without a value, or the tag's name, if one is open.
  mutating func endAttribute(at offset: Int, _ sink: inout some HTMLTokenSink) {
    switch mode {
    case .tagName: endName(&sink)
    case .attributeName:
      endName(&sink)
      sink.attributeEnd(at: offset)
    case .afterName: sink.attributeEnd(at: offset)
    default: break
    }
  }

  mutating func endTag(isSelfClosing: Bool, at offset: Int, _ sink: inout some HTMLTokenSink) {
    mode = .text
    matched = 0
    name = []
    isEndTag = false
    let next = sink.tagEnd(isSelfClosing: isSelfClosing, at: offset)
    content = next.content
    closing = next.element
    isForeign = next.isForeign
  }
}
