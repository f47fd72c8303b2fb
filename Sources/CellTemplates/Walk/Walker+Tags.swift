/// Handles what the tokenizer reports, in source order.
extension Walker: HTMLTokenSink {
  var isDone: Bool { walks.budget.isSpent }

  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {
    state.dropsLineEnd = false
    if var json = state.json {
      // Cleared first, so that the open brackets are not copied for each run.
      state.json = nil
      for byte in source.bytes[range] { json.feed(byte) }
      state.json = json
    }
    if content == .data || content == .rcdata { noteReference(range) }
    if content == .data, source.bytes[range.lowerBound] == UInt8(ascii: "<") {
      escapeLess(at: range.lowerBound)
    }
    if content == .rcdata {
      // In an SVG, `title` and `textarea` are ordinary elements, and their content is markup.
      for at in range where source.bytes[at] == UInt8(ascii: "<") { escapeLess(at: at) }
    }
    if content == .rawText || content == .script { readAsMarkup(range) }
    if state.element.movesText, let at = range.first(where: { !HTMLTokenizer.isSpace(source.bytes[$0]) }) {
      reportMovedText(at: at)
    }
    if content == .data, elements.isEmpty,
      let at = range.first(where: { !HTMLTokenizer.isSpace(source.bytes[$0]) })
    {
      noteTop(isRows: false, at: at)
    }
  }

  /// Stores the unfinished character reference at the end of the text, if any.
  private mutating func noteReference(_ range: Range<Int>) {
    var start = range.upperBound
    while start > range.lowerBound, Self.isReferenceByte(source.bytes[start - 1]) { start -= 1 }
    var reference = UnfinishedReference()
    if start == range.lowerBound {
      reference = state.reference
    } else if source.bytes[start - 1] == UInt8(ascii: "&") {
      reference.append(UInt8(ascii: "&"))
    }
    for byte in source.bytes[start..<range.upperBound] where !reference.isEmpty {
      if reference.continues(with: byte) {
        reference.append(byte)
      } else {
        reference = UnfinishedReference()
      }
    }
    state.reference = reference
  }

  private static func isReferenceByte(_ byte: UInt8) -> Bool {
    HTMLTokenizer.isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "#")
  }

  /// Reports text in a table, once for each element that it is moved out of.
  mutating func reportMovedText(at: Int) {
    let element = elements.last?.at ?? -1
    if movedFrom == element { return }
    movedFrom = element
    report(
      .misplacedText, at: at, "text directly in a table or a row is moved out of the table",
      hint: "put it in a cell: <tr><td>…</td></tr>")
  }

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    cut(at: at)
    let dropsLineEnd = state.dropsLineEnd
    state.dropsLineEnd = false
    state.reference = UnfinishedReference()
    let name = checked(name, at: at)
    finishJSON(at: at)
    endReading()
    tag = TagInProgress(
      name: name, isEnd: isEnd, at: at, list: list, start: out.count, blockDepth: blockDepth,
      dropsLineEnd: dropsLineEnd)
    state.tag = TagContext(name: name, isEnd: isEnd)
  }

  /// Checks the name of an element or attribute. Reports an invalid one and returns a name that can be shown.
  mutating func checked(_ name: [UInt8], at: Int) -> ExactString {
    // The tokenizer reports NUL bytes.
    guard let fault = NameRule.fault(in: name), !name.contains(0) else {
      return ExactString(decoding: name)
    }
    let shown = NameRule.shown(name)
    report(
      .invalidMarkup, at: at, "the name \"\(shown)\" \(fault)",
      hint: "names of elements and attributes consist of letters, digits and '-'")
    return ExactString(shown)
  }

  private mutating func finishJSON(at: Int) {
    guard var json = state.json else { return }
    state.json = nil
    do throws(Refusal) { try json.finish() } catch { report(error, at: at) }
  }

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    cut(at: at)
    guard let tag, let context = state.tag, tag.list == list else {
      crossedAt = at - 1
      if let tag, !tag.isEnd { elements.noteStart(tag.name) }
      report(
        .crossingSection, at: at - 1, "this tag ends in a different section than it starts",
        hint: "put the whole tag in the section, or only attributes")
      state.tag = nil
      self.tag = nil
      return HTMLTokenizer.NextContent(isForeign: state.element.namespace != .html)
    }
    defer { self.tag = nil }
    state.tag = nil
    if tag.isEnd {
      endElement(tag)
    } else {
      markup = MarkupReading(at: at)
      return startElement(tag, context, isSelfClosing: isSelfClosing)
    }
    return HTMLTokenizer.NextContent(isForeign: state.element.namespace != .html)
  }
}
