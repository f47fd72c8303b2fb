/// Literal text: what is kept of each run, where it ends, and what must not stay unfinished.
extension Walker {
  mutating func read(_ range: Range<Int>) {
    run = range
    cursor = range.lowerBound
    var tokenizer = state.tokenizer
    // Cleared first, so that a name is not copied for each run.
    state.tokenizer.name = []
    tokenizer.feed(range, of: source.bytes, &self)
    state.tokenizer = tokenizer
    if tokenizer.isInComment {
      if tokenizer.commentStart >= range.lowerBound { beginComment(at: tokenizer.commentStart) }
      keepConditional(from: tokenizer.commentStart, to: range.upperBound)
      closeReference()
      held = []
      cursor = range.upperBound
    } else if let start = tokenizer.unfinishedStart {
      if start >= range.lowerBound {
        flush(to: start)
        seal()
      }
      held += source.bytes[cursor..<range.upperBound]
      cursor = range.upperBound
    } else {
      flush(to: range.upperBound)
    }
  }

  /// Appends the run up to `offset` to the literal.
  mutating func flush(to offset: Int) {
    guard offset > cursor || (!held.isEmpty && offset >= run.lowerBound) else { return }
    literal += held
    held = []
    literal += source.bytes[cursor..<max(cursor, min(offset, run.upperBound))]
    cursor = max(cursor, offset)
  }

  /// Starts a new node at `offset`.
  mutating func cut(at offset: Int) {
    if offset >= run.lowerBound { flush(to: offset) }
    seal()
  }

  /// Ends the current literal.
  mutating func seal() {
    if literal.isEmpty { return }
    closeReference()
    kept.literalBytes += literal.count
    walks.budget.keep(literalBytes: literal.count)
    add(.literal(literal))
    literal = []
  }

  // What follows a text may be dropped or print nothing, so that the text would continue in what comes after.
  // Therefore no text may end unfinished.

  /// Escapes a `<` that is text, so that it is text whatever follows.
  mutating func escapeLess(at offset: Int) {
    if offset >= run.lowerBound {
      flush(to: offset)
      cursor = offset + 1
      literal += Array("&lt;".utf8)
    } else {
      literal += Array("&lt;".utf8) + held.dropFirst()
      held = []
    }
  }

  /// At the end of a template: makes sure that a trailing `<` or `&` that is text stays text, whatever
  /// follows the cell.
  mutating func endText() {
    if state.tokenizer.endsInLess {
      literal += Array("&lt;".utf8) + held.dropFirst()
      held = []
      state.tokenizer.passLess()
    }
    if state.reference.ends(literal) {
      seal()
      state.reference = UnfinishedReference()
    }
  }

  /// Completes the character reference at the end of the literal, as a parser would.
  mutating func closeReference() {
    guard state.reference.ends(literal) else { return }
    let reference = Array(literal.suffix(state.reference.count))
    literal.removeLast(reference.count)
    literal += ReferenceDecoder.completed(reference)
  }
}
