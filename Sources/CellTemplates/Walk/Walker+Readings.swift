/// Text that is markup for some parsers: it must not contain anything that they would take for a tag.
extension Walker {
  /// Checks an attribute's value in a `noscript`, where some parsers only look for its end tag.
  mutating func refuseLess(inValue range: Range<Int>) {
    guard state.element.open.contains(.fallback), let at = range.first(where: isLess) else { return }
    report(
      .invalidMarkup, at: at,
      "a < in a <noscript> or <noembed> may end it, because not all parsers read markup there",
      hint: "write &lt; in attributes; remove scripts and styles that need it")
  }

  /// Checks raw text. In an `<svg>`, `style`, `script` and similar are ordinary elements, and a page may put
  /// the cell into one.
  mutating func readAsMarkup(_ range: Range<Int>) {
    refuseLess(inValue: range)
    guard state.element.open.isDisjoint(with: [.fallback, .sureHTML]) else { return }
    let less = range.first { isLess($0) && mayBeginTag(after: $0, in: range) }
    guard var reading = markup, reading.next == range.lowerBound else {
      breakReading()
      if let less { reportTag(at: less) }
      return
    }
    // Cleared first, so that a name is not copied for each line.
    markup = nil
    reading.read(range, of: source.bytes)
    reading.less = reading.less ?? less
    markup = reading
  }

  /// Called where raw text continues with something that is not always present: it must contain no tag at
  /// all.
  mutating func breakReading() {
    if let less = markup?.less { reportTag(at: less) }
    markup = nil
  }

  /// Called at the end of raw text.
  mutating func endReading() {
    if let reading = markup, let less = reading.less, !reading.isInStep { reportTag(at: less) }
    markup = nil
  }

  private mutating func reportTag(at less: Int) {
    report(
      .invalidMarkup, at: less, "if a page puts the cell into an <svg>, this < starts a tag",
      hint: "write a space after it, or \\x3C in a string, or put the element in a <div>")
  }

  private func isLess(_ position: Int) -> Bool { source.bytes[position] == UInt8(ascii: "<") }

  private func mayBeginTag(after less: Int, in range: Range<Int>) -> Bool {
    // If it is reported late, what follows is in another run.
    if less < run.lowerBound { return true }
    // The text is followed by the `<` of the end tag.
    guard less + 1 < range.upperBound else { return false }
    let next = source.bytes[less + 1]
    return HTMLTokenizer.isLetter(next) || "/!?".utf8.contains(next)
  }
}
