/// The nib attributes of a start tag: what each may hold, and what it means.
extension NibElements {
  /// The attributes that values set: those of the element's outlet, and those of its `data-bind`.
  func boundAttributes(
    of tag: StartTag, _ rule: OutletRule?, _ report: (Refusal, Int) -> Void
  ) -> [BoundAttribute] {
    var bound = (rule?.attributes ?? []).map { BoundAttribute(name: $0.name, own: $0) }
    let own = bound.indices
    var accepted: [ExactString] = []
    do throws(Refusal) {
      if !bound.isEmpty { try judge(of: tag, rule).checkBeside(own: bound.map(\.name)) }
      accepted = bound.map(\.name)
    } catch {
      report(error, (tag.attribute("data-outlet") ?? tag.attribute("data-tag"))?.at ?? tag.at)
    }
    for attribute in entries(of: tag, rule, own: accepted, report) {
      if let position = own.first(where: { bound[$0].name == attribute.name }) {
        bound[position].content = attribute.content
      } else {
        bound.append(attribute)
      }
    }
    return bound
  }

  private func judge(of tag: StartTag, _ rule: OutletRule?) -> BindingJudge {
    BindingJudge(
      tag: tag, schemes: settings.schemes, elements: settings.elements, budget: budget,
      isBeside: rule != nil)
  }

  /// The attributes that the element's `data-bind` sets.
  private func entries(
    of tag: StartTag, _ rule: OutletRule?, own: [ExactString], _ report: (Refusal, Int) -> Void
  ) -> [BoundAttribute] {
    guard let attribute = tag.attribute("data-bind"), let text = attribute.text else { return [] }
    if rule?.form == .data {
      report(
        Refusal(
          .misplacedAttribute, "the value of a JSON script becomes its content and sets no attributes",
          hint: "remove data-bind"), attribute.at)
      return []
    }
    do throws(Refusal) {
      let judge = judge(of: tag, rule)
      let bindings = try bindings(in: text)
      if let lesson = ForeignConditions.lesson(for: bindings, budget) { report(lesson, attribute.at) }
      return try judge.attributes(of: bindings, own: own)
    } catch {
      report(error, attribute.at)
      return []
    }

    func bindings(in text: [UInt8]) throws(Refusal) -> [Binding] {
      do throws(ConditionParser.Fault) {
        return try BindingParser.bindings(
          in: text, formats: settings.formats,
          isBoolean: { [elements = settings.elements] in BooleanAttributes.contain($0, on: tag.name, elements)
          },
          keep: { budget.keep(pieces: $0) })
      } catch {
        report(
          Refusal(error.code ?? .invalidBinding, error.message, hint: error.hint),
          source.offset(of: error.offset, inValueOfAttributeAt: attribute.at))
        return []
      }
    }
  }

  /// The bound attribute that an element cannot be without: the file that it shows.
  func presence(of tag: StartTag, _ bound: [BoundAttribute]) -> BindNode? {
    guard ["img", "source", "track", "image", "use"].contains(tag.name) else { return nil }
    // A picture's source has no other file.
    let isSourceSet = tag.name == "source" && !tag.has("src")
    for attribute in bound
    where ["src", "href", "xlink:href"].contains(attribute.name) || isSourceSet && attribute.name == "srcset"
    {
      guard case .bind(var bind)? = attribute.content else { continue }
      bind.takesScalar = attribute.own?.takesChoice == false
      bind.isDrawn = tag.has(attribute.name)
      return bind
    }
    return nil
  }

  /// Reports attributes set by values that also occur in a section or partial, where they would be duplicates.
  func checkOnce(_ bound: [BoundAttribute], _ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    if bound.isEmpty { return }
    var positions = tag.positions
    for attribute in tag.attributes where attribute.isUnconditional { positions[attribute.name] = nil }
    for attribute in bound {
      guard let position = positions[attribute.name] else { continue }
      report(
        Refusal(
          .duplicateAttribute,
          "<\(tag.name)> already has the attribute \(attribute.name) from its \(attribute.own == nil ? "data-bind" : "outlet")",
          hint: "write it as static text, outside of sections and partials"
            + (attribute.own == nil ? ", or remove it from data-bind" : "")),
        position)
    }
  }

  /// Whether the element is the cell itself. The cell of a `<template>` is its content.
  func isRoot(_ tag: StartTag) -> Bool {
    tag.at == source.content.lowerBound && tag.has("data-cell")
  }

  func check(_ attribute: StartTag.Attribute, on tag: StartTag, _ report: (Refusal, Int) -> Void) {
    if !attribute.isUnconditional || attribute.text == nil {
      let refusal = Refusal(
        .misplacedAttribute, "\(attribute.name) must be static and outside sections",
        hint: Self.hint(forStatic: attribute.name))
      report(refusal, attribute.at)
    }
    if attribute.name == "data-class" || attribute.name == "data-raw",
      !(isRoot(tag) && tag.attribute("data-cell") != nil)
    {
      let refusal = Refusal(
        .misplacedAttribute, "\(attribute.name) belongs on a cell, next to data-cell",
        hint: "move it to the cell's element")
      report(refusal, attribute.at)
    }
  }

  /// What to write instead of Mustache in an attribute of nibs.
  private static func hint(forStatic attribute: ExactString) -> String {
    if attribute == "data-action" {
      return
        "write it as static text, and what varies in an attribute that the script reads: data-id=\"{{id}}\""
    }
    let example: String? =
      switch attribute {
      case "data-outlet": "data-outlet=\"title\""
      case "data-when": "data-when=\"author\""
      case "data-bind": "data-bind=\"href:url; title:'{first} {last}'\""
      case "data-include": "data-include=\"byline\", or \"*kind\" if the data names the kind"
      default: nil
      }
    guard let example else {
      return "write its value as static text, or put the whole element in the section"
    }
    return "write names without braces, outside of sections: \(example)"
  }

  func warnOfNearAttributes(_ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    for attribute in tag.attributes {
      guard let meant = NearAttributes.meant(by: attribute.name) else { continue }
      report(
        Refusal(
          .nearAttribute, "\(attribute.name) means nothing to a nib, and is printed as it is",
          hint: "did you mean \(meant)?"), attribute.at)
    }
  }

  /// The element's `data-missing`.
  func missing(of tag: StartTag, _ report: (Refusal, Int) -> Void) -> MissingPolicy? {
    guard let attribute = tag.attribute("data-missing"), let text = attribute.text else { return nil }
    do throws(Refusal) { return try MissingPolicy(written: text) } catch {
      report(error, attribute.at)
      return nil
    }
  }

  /// The element's `data-when`.
  func conditions(
    of tag: StartTag, _ report: (Refusal, Int) -> Void
  ) -> (conditions: [Condition], at: Int)? {
    guard let attribute = tag.attribute("data-when"), let text = attribute.text else { return nil }
    do throws(ConditionParser.Fault) {
      let conditions = try ConditionParser.conditions(in: text)
      guard budget.keep(pieces: conditions.reduce(0) { $0 + $1.pieces }) else { return nil }
      warn(about: conditions, tag, at: attribute.at, report)
      if let lesson = ForeignConditions.lesson(for: conditions) { report(lesson, attribute.at) }
      return (conditions, attribute.at)
    } catch {
      report(
        Refusal(.invalidCondition, error.message, hint: error.hint),
        source.offset(of: error.offset, inValueOfAttributeAt: attribute.at))
      return nil
    }
  }

  /// Warns of names of loops in conditions beside an outlet: they tell of the list around, not of the outlet's.
  private func warn(
    about conditions: [Condition], _ tag: StartTag, at: Int, _ report: (Refusal, Int) -> Void
  ) {
    guard tag.has("data-outlet") || tag.has("data-tag") else { return }
    let names = conditions.flatMap { condition in
      [condition.path] + condition.literals.compactMap { if case .path(let path) = $0 { path } else { nil } }
    }
    guard
      let name = names.first(where: {
        $0.segments[0] != "@row" && AtNames.contains($0.segments[0].utf8)
      })
    else { return }
    report(
      Refusal(
        .outerLoopName, "\"\(name.text)\" with data-outlet is about the list around the outlet",
        hint: "put the condition on an element inside the outlet"), at)
  }

  func noteAction(_ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    actions[tag.at] = nil
    guard let attribute = tag.attribute("data-action"), let text = attribute.text else { return }
    if text.allSatisfy(HTMLTokenizer.isSpace) {
      report(
        Refusal(.misplacedAttribute, "the action has no name", hint: "name it: data-action=\"share\""),
        attribute.at)
    }
    if let fault = NameRule.fault(in: text) {
      report(
        Refusal(
          .invalidName, "the action's name \(fault)",
          hint: "give it a short name of visible characters: data-action=\"share\""),
        attribute.at)
    }
    let isNew = actionNames.insert(ExactString(decoding: text)).inserted
    if isNew, actionNames.count == Self.actionLimit + 1 {
      report(
        Refusal(
          .misplacedAttribute, "the cell has more than \(Self.actionLimit) actions",
          hint: "give elements of the same meaning the same action, and tell them apart by a data attribute"),
        attribute.at)
    }
    noted.append(tag.at)
    actions[tag.at] = Action(name: String(decoding: text, as: UTF8.self), element: tag.name.text)
  }

  /// The most actions of one cell: each row lists them if it is asked to.
  private static let actionLimit = 256

  /// The path of an element's outlet; nil if there is none or it is invalid.
  func path(of tag: StartTag, _ report: (Refusal, Int) -> Void) -> MustacheName? {
    var path: MustacheName?
    if let attribute = tag.attribute("data-tag"), let text = attribute.text {
      let number = String(decoding: text, as: UTF8.self)
      if let value = UInt32(number), value >= 1, String(value) == number {
        path = MustacheName(segments: [number])
      } else {
        report(
          Refusal(
            .invalidOutlet, "\"\(number)\" is not a tag", hint: "tags are numbers from 1: data-tag=\"7\""),
          attribute.at)
      }
    }
    guard let attribute = tag.attribute("data-outlet"), let text = attribute.text else { return path }
    if let fault = NameRule.fault(in: text) {
      report(
        Refusal(
          .invalidOutlet, "the outlet's name \(fault)",
          hint: "give it a short name of visible characters: data-outlet=\"title\""),
        attribute.at)
      return nil
    }
    guard let name = NibPath.name(text) else {
      report(
        Refusal(
          .invalidOutlet, "\"\(NameRule.shown(text))\" is not a valid name",
          hint: Self.outletHint(text)),
        attribute.at)
      return nil
    }
    if let lesson = ForeignConditions.lesson(for: name) { report(lesson, attribute.at) }
    return name
  }

  private static func outletHint(_ text: [UInt8]) -> String {
    if let bar = text.firstRange(of: " | ".utf8) {
      let parts = [text[..<bar.lowerBound], text[bar.upperBound...]].map { NameRule.shown(Array($0)) }
      return "write the format beside it: data-outlet=\"\(parts[0])\" data-format=\"\(parts[1])\""
    }
    if text.starts(with: "../".utf8) {
      return "write @row. before a name of the row: data-outlet=\"@row.author.name\""
    }
    return
      "write names with single dots between them, or . for the current item: data-outlet=\"author.name\""
  }

  /// The designed value of a void element.
  func placeholder(_ tag: StartTag, _ rule: OutletRule) -> [UInt8]? {
    guard let attribute = rule.scalarAttribute else { return nil }
    return tag.attribute(attribute)?.text
  }
}
