/// Where branches of a template start, end and meet.
extension HTMLTokenizer {
  /// Ends a name at the start or end of a branch; it must not continue after it.
  mutating func closeName(at offset: Int, _ sink: inout some HTMLTokenSink) {
    switch mode {
    case .attributeName:
      endName(&sink)
      sink.attributeEnd(at: offset)
      mode = .nameClosed
    case .afterName:
      sink.attributeEnd(at: offset)
      mode = .beforeName
    case .tagName:
      sink.tagName(name, isEnd: isEndTag, at: starts.markup)
      mode = .nameClosed
    case .selfClosing:
      sink.fault(.slashBeforeBranch, at: offset - 1)
      mode = .beforeName
    default:
      return
    }
    name.removeAll()
  }

  /// Continues after something refused and reported, as if it were a word, so that it is reported once.
  mutating func passRefused(at offset: Int) {
    switch mode {
    case .text: matched = 0
    case .beforeValue: mode = .unquoted
    case .beforeName, .afterValue, .selfClosing, .nameClosed, .afterName:
      mode = .attributeName
      name = []
      starts.name = offset
    default: return
    }
  }

  /// The state after two branches that end in `self` and `other`; nil if they are incompatible.
  func joined(with other: HTMLTokenizer) -> HTMLTokenizer? {
    if self == other { return self }
    guard isInTag, other.isInTag, isEndTag == other.isEndTag, mode != .beforeValue, other.mode != .beforeValue
    else {
      return nil
    }
    var both = self
    let isOpen =
      mode == .nameClosed || mode == .tagName || other.mode == .nameClosed || other.mode == .tagName
    both.mode = isOpen ? .nameClosed : .beforeName
    both.name = []
    return both
  }

  /// After an attribute name at the end of a loop whose body contains nothing else.
  mutating func reopenName() {
    if mode == .nameClosed { mode = .beforeName }
  }
}
