/// Comments: none of them reaches the page, but those that mail programs read. A tag that is alone in one works.
extension Walker {
  mutating func comment(startingAt start: Int, endingAt end: Int) {
    if start >= run.lowerBound { beginComment(at: start) }
    keepConditional(from: start, to: end)
    closeReference()
    held = []
    cursor = end
    // A comment of other forms than HTML's would be markup in a `<noscript>` or in code of an SVG.
    if Self.isConditional(conditional), state.element.namespace == .html,
      state.element.open.isDisjoint(with: [.fallback, .code, .textOnly])
    {
      literal += conditional
    }
    conditional = []
  }

  /// Called once for each comment, before any section that begins in it.
  mutating func beginComment(at start: Int) {
    flush(to: start)
    // What follows would be right behind the start tag.
    keepLineEnd()
    conditional = []
  }

  /// Keeps what the current run has of a comment, if that is conditional. What is between two runs is not printed: comments
  /// and delimiters of Mustache.
  mutating func keepConditional(from start: Int, to end: Int) {
    guard isConditional(at: start) else { return }
    conditional += source.bytes[max(start, run.lowerBound)..<end]
  }

  /// Warns of a tag that is not alone in its comment, and prints nothing.
  mutating func warnOfComment(around what: String, _ tag: String, at: Int) {
    report(
      .unfillableHole, at: at, "this \(what) is in a comment, where nothing is printed",
      hint: "let its tags stand alone in their comments, without white space: <!--\(tag)-->")
  }

  // MARK: Conditional comments

  /// Refuses a tag in a conditional comment, which is markup for some programs.
  /// - Returns: whether the place is in one.
  @discardableResult
  mutating func refuseInConditional(_ what: String, at: Int) -> Bool {
    guard isConditional(at: state.tokenizer.commentStart) else { return false }
    report(
      .refusedPlace, at: at, "\(what) is not allowed in a conditional comment",
      hint: "end the comment before it, or write it outside: <!--[if mso]>…<![endif]-->{{name}}")
    return true
  }

  private func isConditional(at start: Int) -> Bool {
    Self.isConditional(source.bytes[min(start, source.bytes.count)...])
  }

  /// Whether a comment is one of those that Outlook reads: `<!--[if mso]>`, `<![endif]-->` and their other forms.
  /// Source: Microsoft, "About conditional comments".
  private static func isConditional(_ text: some Collection<UInt8>) -> Bool {
    conditionals.contains { text.starts(with: $0) }
  }

  private static let conditionals = ["<!--[if", "<!--<![endif]", "<![if", "<![endif]"].map { Array($0.utf8) }
}
