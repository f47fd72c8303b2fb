/// Elements: what may be where, and which end tag closes which.
extension Walker {
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

  mutating func startElement(
    _ tag: TagInProgress, _ context: TagContext, isSelfClosing: Bool
  ) -> HTMLTokenizer.NextContent {
    closeBefore(tag)
    let outer = state.element
    var surroundings = outer
    do throws(Refusal) { try ElementRules.check(tag.name, in: outer) } catch {
      report(error, at: tag.at)
      // A browser closes these before it, so that they do not make what is in it wrong again.
      surroundings.open.subtract(.closedByTags)
    }
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
      keepsWhiteSpace: elements.last?.keepsWhiteSpace == true, inside: outer.open.intersection(.inherited),
      positions: context.attributes.mapValues(Self.written), classDirectives: context.classDirectives)
    let wraps = source.cell != nil && AttributePolicy.wrapping.contains(where: startTag.has)
    if wraps, nesting >= Self.nestingLimit {
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
      finish(startTag, contentStart: out.count, endTagStart: out.count)
      return HTMLTokenizer.NextContent(isForeign: outer.namespace != .html)
    }
    let element = OpenElementStack.Element(
      name: tag.name, at: tag.at, outer: outer, depth: depth, contentStart: out.count, startTag: startTag,
      outlets: outlets + (wraps ? 1 : 0),
      keepsWhiteSpace: startTag.keepsWhiteSpace || Elements.has(.dropsLineEnd, tag.name))
    elements.append(element)
    keep(pieces: element.pieces)
    state.element = ElementRules.content(of: tag.name, in: surroundings)
    noteInherited(of: startTag)
    let content = ElementRules.textMode(of: tag.name, in: namespace)
    state.json = content == .script && context.isJSON ? JSONContext() : nil
    state.dropsLineEnd = namespace == .html && Elements.has(.dropsLineEnd, tag.name)
    return HTMLTokenizer.NextContent(
      content: content, element: content == .data ? [] : Array(tag.name.utf8),
      isForeign: state.element.namespace != .html)
  }

  /// Notes what libraries do with all inside an element.
  private mutating func noteInherited(of tag: StartTag) {
    for rule in AttributePolicy.inherited {
      let names = rule.attributes.map { $0.filter(tag.has) }
      if names.contains(where: \.isEmpty) { continue }
      // Of two names of one attribute, a library reads the first that it knows.
      let areFalse = names.joined().allSatisfy { name in
        tag.attribute(name).map { $0.isUnconditional && $0.text?.elementsEqual("false".utf8) == true }
          ?? false
      }
      if !areFalse {
        state.element.open.insert(rule.mark)
      } else if rule.endsWithFalse {
        state.element.open.remove(rule.mark)
      }
    }
  }

  /// Reports an element that its author left to the next tag to close, as HTML allows: `<li>a<li>b`.
  private mutating func closeBefore(_ tag: TagInProgress) {
    guard elements.count > floor, let element = elements.last, ElementRules.closes(tag.name, element.name),
      (try? ElementRules.check(tag.name, in: state.element)) == nil
    else { return }
    reportUnclosed(element)
    closeElements(from: elements.count - 1)
    state.element = element.outer
  }

  /// Refuses values in attributes that others of the tag keep from taking them.
  private mutating func refuseBesides(of tag: TagInProgress, _ context: TagContext) {
    let text = { (name: ExactString) in tag.attributes.first { $0.name == name }?.text }
    let reader = DataAttributeLibrary(
      of: tag.name, with: context.attributes, classDirectives: context.classDirectives,
      walks.elements)
    if let reader { refuseData(read: reader, of: tag, context) }
    for name in AttributePolicy.judgedBeside {
      guard let place = context.attributes[name],
        !tag.attributes.contains(where: { $0.name == name && $0.text != nil }),
        reader?.refusal(of: name) == nil,
        let refusal = AttributePolicy.refusal(
          of: name, on: tag.name, beside: { context.attributes[$0] != nil },
          directive: {
            AngularDirective.first($0, of: tag.name, context.attributes.keys, context.classDirectives)
          }, text: text,
          isOpen: context.openURLs.contains(name), inside: state.element.open)
      else { continue }
      report(refusal, at: max(Self.written(place), tag.at))
    }
  }

  /// The place of an attribute in this template; -1 if it is a caller's.
  private static func written(_ place: Int) -> Int { place < -1 ? -2 - place : place }

  /// Refuses values in `data-` attributes that a library reads.
  private mutating func refuseData(
    read reader: DataAttributeLibrary, of tag: TagInProgress, _ context: TagContext
  ) {
    let fixed = Set(tag.attributes.lazy.filter { $0.text != nil }.map(\.name))
    let places = context.attributes.lazy.filter { !fixed.contains($0.key) }
      .map { (name: $0.key, at: max(Self.written($0.value), tag.at)) }
    for (name, at) in places.sorted(by: { ($0.at, $0.name) < ($1.at, $1.name) }) {
      if let refusal = reader.refusal(of: name) { report(refusal, at: at) }
    }
  }

  mutating func endElement(_ tag: TagInProgress) {
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
    finish(element.startTag, contentStart: element.contentStart, endTagStart: tag.start)
  }

  /// Called where an element ends: the observer replaces its nodes.
  private mutating func finish(_ tag: StartTag, contentStart: Int, endTagStart: Int) {
    guard source.cell != nil, let observer else { return }
    let (walks, source) = (walks, source)
    let report = { (refusal: Refusal, at: Int) in
      walks.report(Diagnostic(refusal.code, in: source, at: at, refusal.message, hint: refusal.hint))
    }
    if let target = observer.standIn(for: tag) {
      replace(tag, by: target)
      observer.endTag(
        of: tag, contentStart: tag.nodes.lowerBound, endTagStart: tag.nodes.lowerBound, in: &out,
        report: report)
    } else {
      observer.endTag(
        of: tag, contentStart: contentStart, endTagStart: endTagStart, in: &out, report: report)
    }
  }

  /// Refuses a cell that the data names where a library does something with all inside an element: follow its forms, or show
  /// its titles as HTML. Which cell comes is not known.
  mutating func refuseDynamicWhereInherited(at: Int) {
    guard let rule = AttributePolicy.inherited.first(where: { state.element.open.contains($0.mark) }) else {
      return
    }
    let causes = rule.attributes.compactMap(\.first?.description).joined(separator: " with ")
    report(
      .dynamicPartialOutsideText, at: at, "a cell with a dynamic name is not allowed inside \(causes)",
      hint: "name the cell, or \(rule.hint)")
  }

  /// Replaces a drawn stand-in by the cell, which is judged as a partial in its place.
  private mutating func replace(_ tag: StartTag, by target: MustacheCall.Target) {
    let start = tag.nodes.lowerBound
    // False only if the markup is invalid, which was reported.
    guard start <= out.count else { return }
    if out[start...].holdMustache {
      report(
        .misplacedAttribute, at: tag.at, "a stand-in is never printed, and takes no Mustache tags",
        hint: "write static text in it, or put the tags in the cell that replaces it")
    }
    out.removeSubrange(start...)
    var place = HTMLContext()
    place.element = state.element
    place.tokenizer.isForeign = state.element.namespace != .html
    switch target {
    case .dynamic:
      if !mayStandDynamic {
        report(
          .dynamicPartialOutsideText, at: tag.at,
          "a cell with a dynamic name is allowed only in element text where any element is allowed",
          hint: "use a static name: data-include=\"name\", on several elements if there are several")
      }
      refuseDynamicWhereInherited(at: tag.at)
    case .kind(let kind):
      if let template = walks.template(ofKind: kind) {
        include(template, named: kind, in: place, at: tag.at)
      } else {
        report(
          .unknownPartial, at: tag.at, "no cell of kind \"\(kind)\" exists; this prints nothing",
          hint: walks.nearKinds.nearest(to: kind).map { "did you mean data-include=\"\($0)\"?" }
            ?? "fix the name, or add the cell")
      }
    }
    let call = MustacheCall(target: target, standsAlone: false, indentation: tag.at..<tag.at, at: tag.at)
    let isBeside = tag.attribute("data-outlet") != nil
    add(.include(call, context: KeptContext(place.compiled), isBeside: isBeside))
  }

  private mutating func include(_ template: Int, named kind: String, in place: HTMLContext, at: Int) {
    if walks.isHTML(template) {
      walks.check(template, in: place, calledBy: source, at: at)
    } else {
      report(
        .textInHTML, at: at, "the text cell \"\(kind)\" cannot be included in an HTML cell",
        hint: "include an HTML cell: rename its file to end in only .mustache")
    }
  }

  private mutating func reportEndTag(_ tag: TagInProgress) {
    let name = tag.name
    if let open = elements.index(of: name), open >= floor {
      for inner in elements.all[(open + 1)...].reversed() where !isDone { reportUnclosed(inner) }
    } else if elements.takeStart(of: name) {
      return
    } else if Elements.has(.void, name) {
      report(.unexpectedEndTag, at: tag.at, "<\(name)> has no end tag", hint: "remove </\(name)>")
    } else if elements.count > floor, let element = elements.last {
      let opened = NameRule.shown(element.name.utf8)
      report(
        .unexpectedEndTag, at: tag.at, "</\(name)> does not close <\(opened)>, which was opened last",
        hint: "close it with </\(opened)>, or open <\(name)> before")
    } else if elements.index(of: name) != nil {
      elements.noteEnd(name)
      report(
        .crossingSection, at: tag.at, "</\(name)> closes an element that was opened outside this section",
        hint: "put the whole element in the section")
    } else {
      report(
        .unexpectedEndTag, at: tag.at, "</\(name)> closes nothing",
        hint: "open <\(name)> before it, or remove it")
    }
  }
}
