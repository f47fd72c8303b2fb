/// Values and calls: each gets an escaper or is refused.
extension Walker {
  mutating func hole(_ name: MustacheName, isRaw: Bool, _ format: WrittenFormat?, at: Int) {
    if state.tokenizer.isInComment {
      if refuseInConditional("a value", at: at) { return }
      report(
        .unfillableHole, at: at, "\"\(name.text)\" is in a comment, where nothing is printed",
        hint: "move it out of the comment, or write {{! \(name.text) }}")
      return
    }
    do throws(Refusal) {
      let escaper = try escaper(of: name, isRaw: isRaw, at: at)
      if let format { try checkReadable(format) }
      lastHole = at
      keepLineEnd()
      openURL()
      seal()
      if let value = state.tag?.value, value.isOwnersOnly {
        // As in a bound attribute, a row's own `owner` does not hide the request's.
        add(.bound(name, escaper, isBeside: false, attribute: value.attribute.text, at: at))
      } else {
        add(.value(name, escaper, format: format, at: at))
      }
    } catch {
      if !isReportedWithTag(error), !isReportedAsRaw(error) { reportInValue(error, at: at) }
      state.tokenizer.passRefused(at: at)
    }
  }

  /// Whether a refusal is of an attribute that nibs read: those are reported as a whole, where their tag ends.
  private func isReportedWithTag(_ refusal: Refusal) -> Bool {
    guard refusal.code == .refusedAttribute, let name = state.tag?.value?.attribute else { return false }
    return AttributePolicy.isOfNibs(name) || (name == "data-action" && observer != nil)
  }

  /// Whether a refusal is of a raw value in a cell that allows none: those are reported before the walk.
  private func isReportedAsRaw(_ refusal: Refusal) -> Bool {
    refusal.code == .rawOutsideText && !template.allowsRaw
  }

  private mutating func escaper(of name: MustacheName, isRaw: Bool, at: Int) throws(Refusal) -> Escaper {
    let tokenizer = state.tokenizer
    try checkDecided("this value")
    if state.element.open.contains(.fallback) {
      throw refusedPlace(
        "a <noscript> or <noembed>", hint: "write the element outside of it: it is there without scripts, too"
      )
    }
    if tokenizer.isInValue { return try valueEscaper(of: name, isRaw: isRaw, at: at) }
    if tokenizer.isInTag { throw dynamicName }
    if tokenizer.mode != .text {
      throw refusedPlace("a CDATA section", hint: "write it as element text, escaped")
    }
    if tokenizer.content != .data, isRaw { throw rawOutsideText }
    switch tokenizer.content {
    case .data:
      if state.element.open.contains(.code) { throw refusedPlace("code of an SVG", hint: "use an attribute") }
      if state.element.open.contains(.textOnly), isRaw { throw rawOutsideText }
      if state.element.movesText { reportMovedText(at: at) }
      noteTop(isRows: false, at: at)
      return isRaw ? .rawHTML : .html
    case .rcdata: return .html
    case .script:
      guard var json = state.json else {
        throw refusedPlace(
          "a script",
          hint: "put it in a data attribute, or in <script type=\"application/json\">{{name}}</script>")
      }
      let escaper = try json.hole()
      state.json = json
      return escaper
    case .rawText: throw refusedAsMarkup
    case .plaintext: throw refusedPlace("<plaintext>", hint: "use <pre>")
    }
  }

  /// Refuses a format where programs read, not people.
  private func checkReadable(_ format: WrittenFormat) throws(Refusal) {
    if let tag = state.tag, state.tokenizer.isInValue {
      guard let attribute = tag.value?.attribute, !ReadableAttributes.contain(attribute) else { return }
      throw ReadableAttributes.refusal(format.text, "\(attribute) of <\(tag.name)>")
    }
    if state.json != nil { throw ReadableAttributes.refusal(format.text, "a JSON block") }
  }

  private mutating func valueEscaper(of name: MustacheName, isRaw: Bool, at: Int) throws(Refusal) -> Escaper {
    guard var value = state.tag?.value, let context = state.tag else { throw dynamicName }
    if state.tokenizer.mode == .unquoted { throw unquotedValue }
    if value.isUnfinished { throw unfinishedReference }
    if isRaw { throw rawOutsideText }
    if context.name == "meta", value.attribute == "content" {
      if context.hasRefreshName { reportRefresh(at: at) } else { state.tag?.contentHole = at }
    }
    let decidesOrigin = value.mayDecideOrigin
    do throws(Refusal) {
      let escaper = try value.hole(on: context.name, isOwners: name.isOwners)
      state.tag?.value = value
      if decidesOrigin, AttributePolicy.judgedBeside.contains(value.attribute) {
        state.tag?.openURLs.insert(value.attribute)
      } else if value.attribute == "content", !name.isOwners {
        state.tag?.openURLs.insert(value.attribute)
      }
      return escaper
    } catch {
      state.tag?.value = value
      throw error
    }
  }

  /// Parsers drop a newline at the start of `pre` and `textarea`. This adds one, so that the value's own is
  /// kept.
  mutating func keepLineEnd() {
    if state.dropsLineEnd { literal.append(UInt8(ascii: "\n")) }
    state.dropsLineEnd = false
  }

  // MARK: What is in the way

  /// Checks that what precedes this place is text or markup regardless of what follows.
  private func checkDecided(_ what: String) throws(Refusal) {
    if state.tokenizer.isUndecided {
      throw Refusal(
        .joinedMarkup, "the text before \(what) could become a tag with it",
        hint: "write &lt; for a < that is text; a tag's name is static")
    }
    if !state.reference.isEmpty { throw unfinishedReference }
    if state.tokenizer.mode == .beforeValue { throw unquotedValue }
  }

  private var unfinishedReference: Refusal {
    Refusal(
      .unfinishedReference, "the text before this could become a character reference with it",
      hint: "write &amp; for the &, or end the reference with ;")
  }

  private var unquotedValue: Refusal {
    Refusal(
      .unquotedValue, "a dynamic attribute value must be quoted",
      hint: "put it in quotes: \(state.tag?.value?.attribute.text ?? "href")=\"{{name}}\"")
  }

  private var dynamicName: Refusal {
    let isOfTag = state.tokenizer.mode == .tagName
    return Refusal(
      .dynamicName, "names of tags and attributes must be static",
      hint: isOfTag
        ? "write one element for each name, in sections: {{#isTop}}<h1>…</h1>{{/isTop}}{{^isTop}}<h2>…</h2>{{/isTop}}"
        : "write one section for each: {{#open}}open{{/open}}, or put the value in an attribute's value")
  }

  private var rawOutsideText: Refusal {
    Refusal(.rawOutsideText, "raw values are allowed only in element text", hint: "write {{name}}")
  }

  private var refusedAsMarkup: Refusal {
    if elements.last?.name == "style" {
      return refusedPlace(
        "a style sheet",
        hint: "put it in an attribute, style=\"--brand: {{colour}}\", and read it by var(--brand)")
    }
    return refusedPlace("an element whose text is not parsed as HTML", hint: "put it in an attribute")
  }

  private func refusedPlace(_ place: String, hint: String) -> Refusal {
    Refusal(.refusedPlace, "values are not allowed in \(place)", hint: hint)
  }

  /// Whether a section, block or call is allowed here. Prepares the place for it.
  /// - Parameter isSection: whether it may be in JSON.
  mutating func mayBranch(at: Int, _ what: String, isSection: Bool = false) -> Bool {
    if state.tokenizer.isInComment { return !refuseInConditional(what, at: at) }
    breakReading()
    do throws(Refusal) {
      if walks.openSections >= WalkSet.sectionLimit {
        throw Refusal(
          .nestedTooDeep, "sections and the partials in them are nested deeper than \(WalkSet.sectionLimit)",
          hint: "call the partial in element text")
      }
      if nesting > depth, nesting >= Self.nestingLimit {
        throw Refusal(
          .nestedTooDeep, "outlets and sections are nested deeper than \(Self.nestingLimit)",
          hint: "move the inner ones into a partial")
      }
      if state.tokenizer.isUndecided {
        // Element text may be followed by more text, but not after a `<`.
        try checkDecided(what)
      }
      if state.tokenizer.mode == .beforeValue || state.tokenizer.mode == .unquoted { throw unquotedValue }
      if state.json != nil, !isSection {
        throw Refusal(
          .invalidJSONBlock,
          "\(what) in a JSON block is not allowed: it contains only static JSON, whole values and sections",
          hint: "put the whole <script> in it, or send the JSON as one value")
      }
      closeNames()
      if let context = state.tag {
        if context.isEnd { throw dynamicName }
        try checkValue(context, what)
      }
      keepLineEnd()
      becomeDynamic()
      return true
    } catch {
      report(error, at: at)
      state.tokenizer.passRefused(at: at)
      return false
    }
  }

  private func checkValue(_ context: TagContext, _ what: String) throws(Refusal) {
    guard state.tokenizer.isInValue, let value = context.value else { return }
    if value.isUnfinished { throw unfinishedReference }
    if AttributePolicy.mustBeUnconditional(value.attribute, on: context.name) {
      throw Refusal(
        .conditionalAttribute,
        "\(value.attribute) of <\(context.name)> determines what other values do, and must be static",
        hint: "write it as static text, or put the whole element in a section")
    }
  }

  // MARK: Calls

  mutating func call(_ call: MustacheCall, blocks overrides: [MustacheBlock]?) {
    if state.tokenizer.isInComment {
      let (what, tag) = overrides == nil ? ("partial", "{{>kind}}") : ("parent", "{{<kind}}")
      if !refuseInConditional("a \(what)", at: call.at) { warnOfComment(around: what, tag, at: call.at) }
      return
    }
    guard mayBranch(at: call.at, overrides == nil ? "a partial" : "a parent") else { return }
    seal()
    let context = KeptContext(state.compiled)
    var callee = ParentOccurrence.Callee.nothing
    switch call.target {
    case .dynamic:
      guard state.isElementText, mayStandDynamic else {
        report(
          .dynamicPartialOutsideText, at: call.at,
          "a partial with a dynamic name is allowed only in element text where any element is allowed",
          hint: "use a static name: {{>name}}, in sections if there are several")
        return
      }
      refuseDynamicWhereInherited(at: call.at)
      callee = .anything
    case .kind(let kind):
      if let target = walks.template(ofKind: kind), walks.isHTML(target) {
        let key = WalkKey(template: target, context: context)
        callee = .program(key)
        if state.isElementText {
          walks.check(target, in: state, calledBy: source, at: call.at)
        } else {
          follow(key, at: call.at)
        }
      }
    }
    if state.isElementText, !state.reference.isEmpty { report(unfinishedReference, at: call.at) }
    append(call, context, callee, overrides)
  }

  /// Whether a cell of any kind may be here.
  var mayStandDynamic: Bool {
    state.element.namespace == .html && !state.element.isPicky
      && state.element.open.isDisjoint(with: [.code, .fallback, .textOnly])
  }

  private mutating func append(
    _ call: MustacheCall, _ context: KeptContext, _ callee: ParentOccurrence.Callee,
    _ overrides: [MustacheBlock]?
  ) {
    if let overrides {
      let number = parents.add(
        ParentOccurrence(
          at: call.at, callee: callee, context: context, blocks: overrides, nesting: nesting + 1)
      )
      metParents.add(number)
      add(.parent(call, context: context, overrides: number))
    } else {
      walks.budget.keep(pieces: context.pieces)
      add(.call(call, context: context))
    }
  }

  /// Continues where a template called inside markup ends.
  private mutating func follow(_ key: WalkKey, at: Int) {
    let before = state
    guard let end = walks.end(of: key, calledBy: source, at: at) else { return }
    guard key.context.value.joined(with: end) != nil else {
      report(
        .crossingPartial, at: at, "this partial ends at a different place in the markup than it starts",
        hint: "start and end it in the same element, attribute and value")
      return
    }
    state = end
    becomeDynamic()
    state.element = before.element
    guard var tag = before.tag else { return }
    // A call has a negative number, so that attributes added in an earlier pass of a loop are recognized as
    // its own.
    let place = -2 - at
    let names = (end.tag?.attributes ?? [:]).keys
    walks.budget.spend(Self.unitsPerName * names.count)
    for name in names.sorted() {
      if let first = tag.attributes[name], first != place {
        report(
          .duplicateAttribute, at: at, "this partial adds \(name), which <\(tag.name)> already has",
          hint: "write it once, with a section or a partial inside its value")
      }
      tag.attributes[name] = place
    }
    if tag.contentHole != nil, end.tag?.hasRefreshName == true { reportRefresh(at: at) }
    if end.tag?.contentHole != nil, tag.contentHole == nil { tag.contentHole = at }
    state.tag?.attributes = tag.attributes
    state.tag?.contentHole = tag.contentHole
    state.tag?.classDirectives.formUnion(tag.classDirectives)
  }
}
