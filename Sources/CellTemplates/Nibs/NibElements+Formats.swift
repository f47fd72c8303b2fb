/// `data-format`: how the value of an outlet is shown.
extension NibElements {
  /// The format of an element.
  /// - Parameter rule: what its outlet does; nil if it has none.
  func format(
    of tag: StartTag, _ rule: OutletRule?, _ report: (Refusal, Int) -> Void
  ) -> WrittenFormat? {
    guard let attribute = tag.attribute("data-format"), let text = attribute.text else { return nil }
    guard let rule else {
      // An outlet that is refused was reported.
      if tag.attribute("data-outlet") == nil, tag.attribute("data-tag") == nil {
        report(
          Refusal(
            .invalidFormat, "data-format does nothing without an outlet",
            hint:
              "add data-outlet to the element; in data-bind, write the format after a bar: title:price | currency EUR"
          ),
          attribute.at)
      }
      return nil
    }
    let format: WrittenFormat
    do throws(FormatParser.Fault) {
      format = try FormatParser.format(text, own: settings.formats)
    } catch {
      report(
        Refusal(error.code, error.message, hint: error.hint),
        source.offset(of: error.offset, inValueOfAttributeAt: attribute.at))
      return nil
    }
    if let refusal = Self.refusal(of: format, on: tag, rule) {
      report(refusal, attribute.at)
      return nil
    }
    budget.keep(pieces: LoadBudget.formatPieces)
    return format
  }

  private static func refusal(of format: WrittenFormat, on tag: StartTag, _ rule: OutletRule) -> Refusal? {
    if let attribute = rule.scalarAttribute {
      return ReadableAttributes.refusal(format.text, "\(attribute) of <\(tag.name)>")
    }
    if rule.form == .data { return ReadableAttributes.refusal(format.text, "a JSON script") }
    if rule.escaper == .discard {
      return Refusal(
        .invalidFormat, "<\(tag.name)> holds no text that could be formatted",
        hint: "put data-format on the outlet that does")
    }
    if format.kind == .list, Elements.has(.tablePart, tag.name) || tag.name == "option" {
      return Refusal(
        .invalidFormat,
        "words of a list would stand between <\(tag.name)> elements, where a browser takes no text",
        hint: "leave data-format out, or repeat an element inside one <\(tag.name)>")
    }
    return nil
  }
}

/// What programs read of a value that people read formatted: `datetime` of `<time>`, `value` of `<data>`.
enum MachineAttribute {
  /// The attribute of an element; nil if it has none, or if it is written already.
  static func node(
    for format: WrittenFormat, on tag: StartTag, _ bound: [BoundAttribute]
  ) -> BoundAttribute? {
    let (name, kind): (ExactString, FormatKind)
    switch tag.name {
    case "time": (name, kind) = ("datetime", .machineDate)
    case "data": (name, kind) = ("value", .machineNumber)
    default: return nil
    }
    // Where its variant for the locale takes something else, it is left out.
    if !format.everywhere.contains(where: { $0.kind.takes == kind.takes }) { return nil }
    if tag.has(name) || bound.contains(where: { $0.name == name }) { return nil }
    let machine = WrittenFormat(kind: kind, marks: format.kind.machineMarks(format.marks), text: name.text)
    return BoundAttribute(name: name, content: .machine(machine))
  }
}
