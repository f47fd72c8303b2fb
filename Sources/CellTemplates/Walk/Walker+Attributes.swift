/// Attributes: their names, their values and what depends on them.
extension Walker {
  /// Where an attribute starts: in the source, and in which list of nodes.
  struct AttributePlace {
    let at: Int
    let start: Int
    let list: Int
    /// Whether an error about its value is one about all of it, and whether it was reported.
    var isOneValue = false
    var isRefused = false
  }

  mutating func attributeName(_ name: [UInt8], at: Int) {
    cut(at: at)
    // In place, so that the tag's names are not copied for each attribute.
    guard let (element, isEnd) = state.tag.map({ ($0.name, $0.isEnd) }) else { return }
    let name = checked(name, at: at)
    attribute = AttributePlace(at: at, start: out.count, list: list)
    let first = state.tag?.attributes[name]
    if isEnd {
      report(.unexpectedEndTag, at: at, "an end tag has no attributes", hint: "write </\(element)>")
    } else if !name.isEmpty, let first, first != at {
      report(
        .duplicateAttribute, at: at, "<\(element)> already has the attribute \(name)",
        hint: AttributePolicy.isOfURLs(name)
          ? "write the element twice, each in a section: {{#url}}<\(element) \(name)=\"{{url}}\">…{{/url}}{{^url}}…{{/url}}"
          : "write it once, with a section inside its value: class=\"a{{#x}} b{{/x}}\"")
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
    let kind = AttributePolicy.kind(of: name, on: element, walks.elements)
    attribute.isOneValue = kind.isOneValue
    state.tag?.value = ValueContext(name, kind, schemes: walks.schemes)
  }

  /// Whether what is here may be absent, or comes from elsewhere.
  private var isConditional: Bool { tag == nil || tag?.list != list }

  mutating func reportRefresh(at: Int) {
    report(
      .refusedAttribute, at: at, "content of a <meta> with http-equiv can redirect the page",
      hint: "write it as static text")
  }

  mutating func attributeValue(_ range: Range<Int>, quote: UInt8?) {
    valueCount += 1
    refuseLess(inValue: range)
    guard var value = state.tag?.value else { return }
    // Cleared first, so that it is not copied for each line.
    state.tag?.value = nil
    let isBehindHole =
      literal.isEmpty && held.isEmpty && range.lowerBound == cursor && range.lowerBound == run.lowerBound
    var quotes: [Int] = []
    do throws(Refusal) {
      quotes = try value.feed(source.bytes[range], isFollowed: range.upperBound == run.upperBound)
    } catch {
      reportBehindHole(error, at: range.lowerBound)
    }
    if let amendment = value.amendment {
      value.settle()
      if !(isBehindHole && amendHole(amendment)) { report(amendment.refusal, at: range.lowerBound) }
    }
    state.tag?.value = value
    for position in quotes {
      flush(to: position)
      literal.append(Self.innerQuote(in: quote))
    }
  }

  /// The quote that a value may hold: the one that is not around it.
  private static func innerQuote(in quote: UInt8?) -> UInt8 {
    quote == UInt8(ascii: "'") ? UInt8(ascii: "\"") : UInt8(ascii: "'")
  }

  /// Called where a part of the value that is not always present starts or ends.
  mutating func becomeDynamic() {
    state.tag?.value?.becomeDynamic()
    openURL()
  }

  /// Writes the quote that opens a `url()` in front of its first value or section.
  mutating func openURL() {
    guard state.tag?.value?.takeQuote() == true else { return }
    literal.append(Self.innerQuote(in: state.tokenizer.mode == .singleQuoted ? UInt8(ascii: "'") : nil))
  }

  /// Changes the escaper of the hole right before this place as required by what follows. Returns false if
  /// there is none.
  private mutating func amendHole(_ amendment: URLContext.Amendment) -> Bool {
    guard case .value(let name, let escaper, let format, let at)? = out.last,
      let amended = amendment.escaper(insteadOf: escaper)
    else { return false }
    out[out.count - 1] = .value(name, amended, format: format, at: at)
    return true
  }

  /// Reports an error at a place, or at the attribute's last hole if that is at fault.
  private mutating func reportBehindHole(_ refusal: Refusal, at position: Int) {
    let isKnown = refusal.isOfHole && lastHole >= (tag == nil ? 0 : attribute.at)
    reportInValue(refusal, at: isKnown ? lastHole : position)
  }

  /// Reports an error; of a value that is refused as a whole, such as a URL, only the first.
  mutating func reportInValue(_ refusal: Refusal, at: Int) {
    let isOfWhole = [.refusedAttribute, .unsafeURLStart, .ambiguousURL].contains(refusal.code)
    if isOfWhole, tag != nil, attribute.isOneValue {
      if attribute.isRefused { return }
      attribute.isRefused = true
    }
    report(refusal, at: at)
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
    state.tag?.classDirectives.formUnion(value.classDirectives)
    if value.text == nil, BooleanAttributes.contain(value.attribute, on: context.name, walks.elements) {
      judgeBoolean(value.attribute, on: context.name)
    }
    if let tag, !tag.holdsTooMany, attribute.list == list {
      // In a block of the tag, an override may have a value instead of the text.
      let text = blockDepth > tag.blockDepth ? nil : value.text
      let complete = StartTag.Attribute(
        name: value.attribute, at: attribute.at, text: text, nodes: attribute.start..<out.count,
        isUnconditional: !isConditional)
      self.tag?.attributes.append(complete)
    }
  }
}
