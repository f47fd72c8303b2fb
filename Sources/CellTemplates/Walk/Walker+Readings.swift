/// Text that is markup to some parsers: it must hold nothing that they would take for a tag.
extension Walker {
  /// The value of an attribute in a `noscript`, where some parsers look for its end tag alone.
  mutating func refuseLess(inValue range: Range<Int>) {
    guard state.element.open.contains(.fallback), let at = range.first(where: isLess) else { return }
    report(
      .invalidMarkup, at: at,
      "a < in a <noscript> or <noembed> may end it, since not all parsers read markup there",
      hint: "write &lt; in attributes; leave out scripts and styles that need it")
  }

  /// Raw text: of `style`, `script` and the like, which are elements like others where a page puts the cell into an
  /// `<svg>`.
  mutating func readAsMarkup(_ range: Range<Int>) {
    refuseLess(inValue: range)
    guard state.element.open.isDisjoint(with: [.fallback, .sureHTML]) else { return }
    let less = range.first { isLess($0) && mayBeginTag(behind: $0, in: range) }
    guard var reading = markup, reading.next == range.lowerBound else {
      breakReading()
      if let less { reportTag(at: less) }
      return
    }
    // Not held twice, lest a name be copied for each line.
    markup = nil
    reading.read(range, of: source.bytes)
    reading.less = reading.less ?? less
    markup = reading
  }

  /// Raw text goes on with what is not always there: it holds no tag at all.
  mutating func breakReading() {
    if let less = markup?.less { reportTag(at: less) }
    markup = nil
  }

  /// Raw text is over.
  mutating func endReading() {
    if let reading = markup, let less = reading.less, !reading.isInStep { reportTag(at: less) }
    markup = nil
  }

  private mutating func reportTag(at less: Int) {
    report(
      .invalidMarkup, at: less, "where a page puts the cell into an <svg>, this < begins a tag",
      hint: "write a space behind it, or \\x3C in a string, or put the element into a <div>")
  }

  private func isLess(_ place: Int) -> Bool { source.bytes[place] == UInt8(ascii: "<") }

  private func mayBeginTag(behind less: Int, in range: Range<Int>) -> Bool {
    // Of one that is told late, what is behind it stands in another run.
    if less < run.lowerBound { return true }
    // Behind the text stands the `<` of the end tag.
    guard less + 1 < range.upperBound else { return false }
    let next = source.bytes[less + 1]
    return HTMLTokenizer.isLetter(next) || "/!?".utf8.contains(next)
  }
}
