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

  /// Checks that the top level of a cell has either table parts or other content, not both.
  mutating func noteTop(isRows: Bool, at: Int) {
    guard elements.isEmpty, state.element == ElementContext() else { return }
    guard let known = topIsRows else {
      topIsRows = isRows
      return
    }
    if known != isRows {
      report(
        .misplacedElement, at: at, "parts of a table are next to content that is not allowed in a table",
        hint: "write a cell of rows only, or put the rows in a <table>")
    }
  }

  /// Stores the unfinished character reference at the end of the text, if any.
  private mutating func noteReference(_ range: Range<Int>) {
    var start = range.upperBound
    while start > range.lowerBound, Self.isReferenceByte(source.bytes[start - 1]) { start -= 1 }
    var reference: [UInt8]
    if start > range.lowerBound {
      reference = source.bytes[start - 1] == UInt8(ascii: "&") ? [UInt8(ascii: "&")] : []
    } else {
      reference = state.reference
    }
    // Cleared first, so that it is not copied for each run.
    state.reference = []
    for byte in source.bytes[start..<range.upperBound] where !reference.isEmpty {
      if ReferenceDecoder.continues(reference, byte) { reference.append(byte) } else { reference = [] }
    }
    state.reference = reference
  }

  private static func isReferenceByte(_ byte: UInt8) -> Bool {
    HTMLTokenizer.isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "#")
  }

  mutating func reportMovedText(at: Int) {
    report(
      .misplacedText, at: at, "text directly in a table or a row is moved out of the table",
      hint: "put it in a cell: <tr><td>…</td></tr>")
  }

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    cut(at: at)
    let dropsLineEnd = state.dropsLineEnd
    state.dropsLineEnd = false
    state.reference = []
    let name = checked(name, at: at)
    finishJSON(at: at)
    endReading()
    tag = TagInProgress(
      name: name, isEnd: isEnd, at: at, list: list, start: out.count, dropsLineEnd: dropsLineEnd)
    state.tag = TagContext(name: name, isEnd: isEnd)
  }

  /// Checks the name of an element or attribute. Reports an invalid one and returns a name that can be shown.
  private mutating func checked(_ name: [UInt8], at: Int) -> ExactString {
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

  mutating func attributeName(_ name: [UInt8], at: Int) {
    cut(at: at)
    // In place, so that the tag's names are not copied for each attribute.
    guard let (element, isEnd) = state.tag.map({ ($0.name, $0.isEnd) }) else { return }
    let name = checked(name, at: at)
    tag?.attributeAt = at
    tag?.attributeStart = out.count
    tag?.attributeList = list
    let first = state.tag?.attributes[name]
    if isEnd {
      report(.unexpectedEndTag, at: at, "an end tag has no attributes", hint: "write </\(element)>")
    } else if !name.isEmpty, let first, first != at {
      report(
        .duplicateAttribute, at: at, "<\(element)> already has the attribute \(name)",
        hint: "write it once, with a section inside its value: class=\"a{{#x}} b{{/x}}\"")
    }
    if first == nil, state.tag?.attributes.count == Self.attributeLimit {
      if tag?.holdsTooMany == false {
        report(
          .invalidMarkup, at: at, "<\(element)> has more than \(Self.attributeLimit) attributes",
          hint: "send their contents as one value, or write several elements")
      }
      tag?.holdsTooMany = true
      state.tag?.value = ValueContext(name, .plain, schemes: walks.schemes)
      return
    }
    state.tag?.attributes[name] = at
    if name == "http-equiv" {
      state.tag?.hasRefreshName = true
      if let hole = state.tag?.contentHole { reportRefresh(at: hole >= 0 ? hole : at) }
    }
    if isConditional, AttributePolicy.mustBeUnconditional(name, on: element) {
      report(
        .conditionalAttribute, at: at,
        "\(name) of <\(element)> determines what other values do, and must always be present",
        hint: "put the whole element in the section")
    }
    if source.cell == nil, AttributePolicy.isOfNibs(name) {
      report(
        .outletInMustache, at: at, "\(name) does nothing in a Mustache file",
        hint: "write {{name}}, or make this a nib: an .html file with data-cell")
    }
    if source.cell != nil, state.element.open.contains(.fallback), AttributePolicy.isOfOutlets(name) {
      report(
        .misplacedAttribute, at: at, "values are not allowed in a <noscript> or <noembed>",
        hint: "put the outlet outside")
    }
    let kind = AttributePolicy.kind(of: name, on: element)
    state.tag?.value = ValueContext(name, kind, schemes: walks.schemes)
  }

  /// Whether what is here may be absent, or comes from elsewhere.
  private var isConditional: Bool { tag == nil || tag?.list != list }

  mutating func reportRefresh(at: Int) {
    report(
      .refusedAttribute, at: at, "content of a <meta> with http-equiv can redirect the page",
      hint: "write it as static text")
  }

  mutating func attributeValue(_ range: Range<Int>, isQuoted: Bool) {
    valueCount += 1
    refuseLess(inValue: range)
    guard var value = state.tag?.value else { return }
    // Cleared first, so that it is not copied for each line.
    state.tag?.value = nil
    let isBehindHole =
      literal.isEmpty && held.isEmpty && range.lowerBound == cursor && range.lowerBound == run.lowerBound
    do throws(Refusal) { try value.feed(source.bytes[range]) } catch {
      reportBehindHole(error, at: range.lowerBound)
    }
    if let amendment = value.amendment {
      value.settle()
      if !(isBehindHole && amendHole(amendment)) { report(amendment.refusal, at: range.lowerBound) }
    }
    state.tag?.value = value
  }

  /// Changes the escaper of the hole right before this place as required by what follows. Returns false if
  /// there is none.
  private mutating func amendHole(_ amendment: URLContext.Amendment) -> Bool {
    guard case .value(let name, let escaper, let at)? = out.last else { return false }
    let amended: Escaper
    switch (amendment, escaper) {
    case (.segment, .urlAfterSlash): amended = .urlSegment
    case (.segment, .srcsetAfterSlash): amended = .srcsetSegment
    case (.single, .srcset): amended = .srcsetURL
    case (.single, .urlList): amended = .url
    default: return false
    }
    out[out.count - 1] = .value(name, amended, at: at)
    return true
  }

  /// Reports an error at a place, or at the attribute's last hole if that is at fault.
  private mutating func reportBehindHole(_ refusal: Refusal, at place: Int) {
    let isKnown = refusal.isOfHole && lastHole >= (tag?.attributeAt ?? 0)
    report(refusal, at: isKnown ? lastHole : place)
  }

  mutating func attributeEnd(at: Int) {
    cut(at: at)
    valueCount += state.tokenizer.isInValue ? 1 : 0
    guard var value = state.tag?.value, let context = state.tag else { return }
    do throws(Refusal) { try value.finish() } catch {
      reportBehindHole(error, at: max(run.lowerBound, at - 1))
    }
    if context.name == "script", value.attribute == "type", let text = value.text {
      let type = ExactString(inLowercase: text)
      state.tag?.isJSON = type == "application/json" || type == "application/ld+json"
    }
    state.tag?.value = nil
    if let (at, start, list) = tag.map({ ($0.attributeAt, $0.attributeStart, $0.attributeList) }),
      list == self.list, tag?.holdsTooMany == false
    {
      let attribute = StartTag.Attribute(
        name: value.attribute, at: at, text: value.text, nodes: start..<out.count,
        isUnconditional: !isConditional)
      tag?.attributes.append(attribute)
    }
  }

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    cut(at: at)
    guard let tag, let context = state.tag, tag.list == list else {
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

  mutating func comment(startingAt start: Int, endingAt end: Int) {
    if start >= run.lowerBound { flush(to: start) }
    closeReference()
    held = []
    cursor = end
  }

  // MARK: Elements

  private mutating func startElement(
    _ tag: TagInProgress, _ context: TagContext, isSelfClosing: Bool
  ) -> HTMLTokenizer.NextContent {
    let outer = state.element
    do throws(Refusal) { try ElementRules.check(tag.name, in: outer) } catch { report(error, at: tag.at) }
    refuseBesides(of: tag, context)
    let namespace = ElementRules.namespace(of: tag.name, in: outer)
    if !["script", "style", "template", "link", "meta"].contains(tag.name) {
      noteTop(isRows: Elements.has(.tablePart, tag.name), at: tag.at)
    }
    let isEmpty = namespace == .html ? Elements.has(.void, tag.name) : isSelfClosing
    if isSelfClosing, !isEmpty {
      report(
        .selfClosingElement, at: tag.at,
        "<\(tag.name)/> is not a closed element in HTML: a browser reads <\(tag.name)>",
        hint: "write <\(tag.name)></\(tag.name)>"
          + (outer.parent == .unknown ? ", or put it in an <svg>" : ""))
    }
    let startTag = StartTag(
      name: tag.name, at: tag.at, attributes: tag.attributes, nodes: tag.start..<out.count,
      isEmpty: isEmpty || isSelfClosing, dropsLineEnd: tag.dropsLineEnd,
      keepsWhiteSpace: elements.last?.keepsWhiteSpace == true,
      places: context.attributes.mapValues { $0 < -1 ? -2 - $0 : $0 })
    let isOutlet = source.cell != nil && (startTag.has("data-outlet") || startTag.has("data-tag"))
    if isOutlet, nesting >= Self.nestingLimit {
      // Nested ones are not reported.
      if nesting == Self.nestingLimit || outlets == 0 {
        report(
          .nestedTooDeep, at: tag.at, "outlets and sections are nested deeper than \(Self.nestingLimit)",
          hint: "move the inner ones into a partial")
      }
    } else if let observer {
      // Captures these instead of `self`, whose list would be copied.
      let (walks, source) = (walks, source)
      observer.startTag(startTag, in: &out) { refusal, at in
        walks.report(Diagnostic(refusal.code, in: source, at: at, refusal.message, hint: refusal.hint))
      }
    }
    if startTag.isEmpty {
      observer?.endTag(of: startTag, contentStart: out.count, endTagStart: out.count, in: &out)
      return HTMLTokenizer.NextContent(isForeign: outer.namespace != .html)
    }
    let element = OpenElementStack.Element(
      name: tag.name, at: tag.at, outer: outer, depth: depth, contentStart: out.count, startTag: startTag,
      outlets: outlets + (isOutlet ? 1 : 0),
      keepsWhiteSpace: startTag.keepsWhiteSpace || Elements.has(.dropsLineEnd, tag.name))
    elements.append(element)
    keep(pieces: element.pieces)
    state.element = ElementRules.content(of: tag.name, in: outer)
    let content = ElementRules.textMode(of: tag.name, in: namespace)
    state.json = content == .script && context.isJSON ? JSONContext() : nil
    state.dropsLineEnd = namespace == .html && Elements.has(.dropsLineEnd, tag.name)
    return HTMLTokenizer.NextContent(
      content: content, element: content == .data ? [] : Array(tag.name.utf8),
      isForeign: state.element.namespace != .html)
  }

  /// Refuses values in attributes that others of the tag keep from taking them.
  private mutating func refuseBesides(of tag: TagInProgress, _ context: TagContext) {
    for name in AttributePolicy.judgedBeside {
      guard let place = context.attributes[name],
        !tag.attributes.contains(where: { $0.name == name && $0.text != nil }),
        let refusal = AttributePolicy.refusal(
          of: name, beside: { context.attributes[$0] != nil },
          text: { name in tag.attributes.first { $0.name == name }?.text })
      else { continue }
      report(
        refusal.code, at: place < -1 ? -2 - place : max(place, tag.at), refusal.message, hint: refusal.hint)
    }
  }

  private mutating func endElement(_ tag: TagInProgress) {
    guard elements.count > floor, let element = elements.last, element.name == tag.name else {
      reportEndTag(tag)
      // Continues after the element that was probably meant, if it is open here.
      if let open = elements.index(of: tag.name), open >= floor {
        state.element = elements[open].outer
        closeElements(from: open)
      }
      return
    }
    closeElements(from: elements.count - 1)
    state.element = element.outer
    observer?.endTag(
      of: element.startTag, contentStart: element.contentStart, endTagStart: tag.start, in: &out)
  }

  private mutating func reportEndTag(_ tag: TagInProgress) {
    let name = tag.name
    if elements.count > floor, let element = elements.last {
      if let open = elements.index(of: name), open >= floor {
        for inner in elements.all[(open + 1)...].reversed() where !isDone { reportUnclosed(inner) }
      } else {
        let opened = NameRule.shown(element.name.utf8)
        report(
          .unexpectedEndTag, at: tag.at, "</\(name)> does not close <\(opened)>, which was opened last",
          hint: "close it with </\(opened)>, or open <\(name)> before")
      }
    } else if elements.index(of: name) != nil {
      report(
        .crossingSection, at: tag.at, "</\(name)> closes an element that was opened outside this section",
        hint: "put the whole element in the section")
    } else if Elements.has(.void, name) {
      report(.unexpectedEndTag, at: tag.at, "<\(name)> has no end tag", hint: "remove </\(name)>")
    } else {
      report(
        .unexpectedEndTag, at: tag.at, "</\(name)> closes nothing",
        hint: "open <\(name)> before it, or remove it")
    }
  }

  // MARK: Faults

  mutating func fault(_ fault: HTMLFault, at: Int) {
    if fault == .cdata, state.element.open.isDisjoint(with: [.fallback, .assumed]) { return }
    let (code, message, hint): (DiagnosticCode, String, String) =
      switch fault {
      case .equalsBeforeName:
        (.invalidMarkup, "an attribute's name is missing before =", "write name=\"value\"")
      case .quoteInName:
        (
          .invalidMarkup, "a quote or < in an attribute's name",
          "close the value or tag before it, and leave a space"
        )
      case .missingValue: (.invalidMarkup, "the attribute's value is missing", "write =\"\", or remove the =")
      case .joinedName:
        (.dynamicName, "this text would continue the name before it", "leave a space between them")
      case .doctype: (.pageElement, "a document type belongs to the page, not to a cell", "remove it")
      case .cdataInHTML:
        (.invalidMarkup, "CDATA is read as a comment outside SVG and MathML", "escape the text instead")
      case .cdata:
        (
          .invalidMarkup,
          "not all parsers read CDATA here: in a <noscript>, or if the cell is not inside an <svg>",
          "escape the text instead"
        )
      case .lessInName: (.invalidMarkup, "a < in the name of a tag", "close the tag before it with >")
      case .slashBeforeBranch:
        (
          .invalidMarkup, "a slash in a tag is at the start or end of a section or partial",
          "remove it; keep the /> that closes an SVG element together"
        )
      case .nul: (.invalidMarkup, "a NUL byte", "remove it")
      case .commentInScript:
        (.invalidMarkup, "<!-- in a script may hide its end tag", "write <\\!-- in strings, // for comments")
      }
    report(code, at: at, message, hint: hint)
  }
}
