/// `data-plural`, and `data-case` on the children.
extension NibElements {
  /// Reads the plural of an element.
  /// - Returns: its count; nil if it has no plural.
  func plural(of tag: StartTag, _ report: (Refusal, Int) -> Void) -> BindNode? {
    guard let attribute = tag.attribute("data-plural"), let text = attribute.text else { return nil }
    let words = text.split(whereSeparator: HTMLTokenizer.isSpace)
    guard let path = words.first.flatMap({ NibPath.name($0) }),
      words.count == 1 || words.count == 2 && words[1].elementsEqual("ordinal".utf8)
    else {
      report(
        Refusal(
          .invalidFormat, "\"\(NameRule.shown(text))\" is not a valid name for a count",
          hint: "write the name of a number or a list: data-plural=\"count\", or \"place ordinal\""),
        attribute.at)
      choices[tag.at] = .faulty
      return nil
    }
    if tag.has("data-outlet") || tag.has("data-tag") {
      report(
        Refusal(
          .misplacedAttribute, "data-plural cannot be combined with data-outlet",
          hint: "put it on an element inside the outlet, or around it"), attribute.at)
      choices[tag.at] = .faulty
      return nil
    }
    choices[tag.at] = PluralChoice(path: path, isOrdinal: words.count == 2)
    return BindNode(
      attribute: "data-plural", opening: "", at: tag.at, path: path, form: .count, escaper: .discard)
  }

  /// Reads the case of an element.
  /// - Parameter parent: the element around it.
  /// - Returns: the choice that it is a case of; nil if it is none.
  func choice(of tag: StartTag, in parent: Int?, _ report: (Refusal, Int) -> Void) -> PluralChoice? {
    guard let attribute = tag.attribute("data-case"), let text = attribute.text else { return nil }
    guard let choice = parent.flatMap({ choices[$0] }) else {
      report(
        Refusal(
          .misplacedCase, "data-case belongs on the children of an element with data-plural",
          hint: "write <p data-plural=\"count\"><span data-case=\"one\">…</span>…</p>"), attribute.at)
      return nil
    }
    do throws(FormatParser.Fault) {
      let rule = try FormatParser.cases(text)
      let compared = choice.comparedCount
      if choice.add(rule, at: tag.at) {
        budget.keep(pieces: (choice.comparedCount - compared) / LoadBudget.literalsPerPiece)
        return choice
      }
      report(
        Refusal(
          .invalidFormat,
          "a plural has at most \(PluralChoice.caseLimit) cases and \(PluralChoice.numberLimit) numbers in them",
          hint: "leave out cases, or show one of several elements with data-when"), attribute.at)
      return nil
    } catch {
      report(
        Refusal(error.code, error.message, hint: error.hint),
        source.offset(of: error.offset, inValueOfAttributeAt: attribute.at))
      choice.isFaulty = true
      return nil
    }
  }

  /// Reports a plural without a case for what fits no other.
  func checkPlural(of tag: StartTag) -> (Refusal, Int)? {
    guard let choice = choices[tag.at], !choice.hasOther, !choice.isFaulty,
      let attribute = tag.attribute("data-plural")
    else {
      return nil
    }
    return (
      Refusal(
        .pluralLacksOther, "no case of this plural is \"other\"",
        hint:
          "add one, which is printed for every number that fits no other: <span data-case=\"other\">…</span>"),
      attribute.at
    )
  }
}
