/// What an outlet does with its element.
struct OutletRule {
  private(set) var form = OutletEntry.Form.element
  private(set) var escaper = Escaper.html
  private(set) var startsWithNewline = false
  private(set) var absence = OutletEntry.Absence.leavesOut
  /// The attributes that the value sets by itself.
  private(set) var attributes: [OwnAttribute] = []

  /// The attribute of a void element that a string or number sets.
  var scalarAttribute: ExactString? { attributes.first { !$0.takesChoice }?.name }

  /// - Throws: if the element cannot have an outlet.
  init(_ tag: StartTag) throws(Refusal) {
    startsWithNewline = Elements.has(.dropsLineEnd, tag.name)
    switch tag.name {
    case "img", "source":
      attributes = [OwnAttribute(attribute: "src", escaper: .url, takesChoice: false)]
    case "td", "th", "dd", "textarea":
      absence = .empties
    case "input":
      absence = .empties
      attributes = [OwnAttribute(attribute: "value", escaper: .attribute, takesChoice: false)]
      if try Self.isChoice(tag) {
        form = .choice
        attributes.append(OwnAttribute(attribute: "checked", escaper: .attribute, takesChoice: true))
      }
    case "option":
      form = .choice
      absence = .unchosen
      attributes = [OwnAttribute(attribute: "selected", escaper: .attribute, takesChoice: true)]
    case "script":
      guard Self.isData(tag) else {
        throw Self.refusal(
          tag, hint: "write <script type=\"application/json\" data-outlet=\"…\">, or use a data attribute")
      }
      form = .data
      escaper = .json
    case "table", "tbody", "thead", "tfoot", "tr", "colgroup", "optgroup":
      // A browser would move or drop text in these. A value that is not an object or array empties them.
      escaper = .discard
    case "select":
      throw Self.refusal(tag, hint: "put the outlet on the <option> inside")
    case "video", "audio":
      throw Self.refusal(
        tag,
        hint: "set its attributes without an outlet, data-bind=\"src:url\", or put it on a <source> inside")
    case "iframe", "object", "applet", "style", "xmp", "noembed", "noframes", "noscript", "plaintext":
      throw Self.refusal(tag, hint: "put the outlet on another element, or write an attribute as Mustache")
    default:
      if Elements.has(.void, tag.name) {
        throw Self.refusal(
          tag,
          hint: "set its attributes without an outlet: data-bind=\"title:name\"; "
            + "for one of each item write a section: {{#items}}<\(tag.name) title=\"{{name}}\">{{/items}}")
      }
    }
  }

  private static func refusal(_ tag: StartTag, hint: String) -> Refusal {
    Refusal(.outletElement, "an outlet cannot fill <\(tag.name)>", hint: hint)
  }

  private static func isChoice(_ tag: StartTag) throws(Refusal) -> Bool {
    guard let type = tag.attribute("type") else { return false }
    guard type.isUnconditional, let text = type.text else {
      throw Refusal(
        .conditionalAttribute,
        "the type of an <input> with an outlet determines what the outlet does, and must be static",
        hint: "write one input for each type")
    }
    return ["checkbox", "radio"].contains(ExactString(inLowercase: text))
  }

  private static func isData(_ tag: StartTag) -> Bool {
    guard let type = tag.attribute("type"), type.isUnconditional, let text = type.text else { return false }
    return ["application/json", "application/ld+json"].contains(ExactString(inLowercase: text))
  }
}
