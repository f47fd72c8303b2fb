/// What an outlet does with its element.
struct OutletRule {
  private(set) var form = OutletEntry.Form.element
  private(set) var escaper = Escaper.html
  private(set) var startsWithNewline = false
  private(set) var absence = OutletEntry.Absence.leavesOut
  private(set) var binds: [BindRule] = []

  /// The attribute of a void element that a string or number sets.
  var scalarAttribute: ExactString? { binds.first(where: \.takesScalar)?.name }

  /// - Throws: if the element cannot have an outlet.
  init(_ tag: StartTag) throws(Refusal) {
    startsWithNewline = Elements.has(.dropsLineEnd, tag.name)
    switch tag.name {
    case "img", "source":
      binds = [BindRule(attribute: "src", escaper: .url, takesScalar: true)]
    case "td", "th", "dd", "textarea":
      absence = .empties
    case "input":
      absence = .empties
      binds = [BindRule(attribute: "value", escaper: .attribute, takesScalar: true)]
      if try Self.isChoice(tag) {
        form = .choice
        binds.append(BindRule(attribute: "checked", form: .boolean, escaper: .attribute, takesChoice: true))
      }
    case "option":
      form = .choice
      absence = .unchosen
      binds = [BindRule(attribute: "selected", form: .boolean, escaper: .attribute, takesChoice: true)]
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
    case "select", "video":
      throw Self.refusal(
        tag, hint: "put the outlets on the elements inside: data-outlet on <option> or <source>")
    case "iframe", "object", "applet", "style", "xmp", "noembed", "noframes", "noscript", "plaintext":
      throw Self.refusal(tag, hint: "put the outlet on another element, or write an attribute as Mustache")
    default:
      if Elements.has(.void, tag.name) {
        throw Self.refusal(
          tag, hint: "put the outlet on an element around it, or write an attribute as Mustache")
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

  /// Adds the attributes listed in `data-bind`, up to the end of the budget.
  /// - Throws: if one may not contain values.
  mutating func bind(_ tag: StartTag, schemes: URLSchemes, _ budget: LoadBudget) throws(Refusal) {
    guard let text = tag.attribute("data-bind")?.text else { return }
    if form == .data {
      throw Refusal(
        .misplacedAttribute, "the value of a JSON script becomes its content and sets no attributes",
        hint: "remove data-bind")
    }
    var places = Dictionary(uniqueKeysWithValues: binds.enumerated().map { ($1.name, $0) })
    for name in HTMLWords(text[...]) {
      guard budget.keep(pieces: LoadBudget.bindPieces) else { return }
      let key = String(decoding: name, as: UTF8.self)
      guard name.allSatisfy(Self.isNameByte) else {
        throw Refusal(
          .refusedAttribute, "\"\(key)\" is not an attribute that a value may set",
          hint: "separate the names of attributes by white space: data-bind=\"href title\"")
      }
      let attribute = ExactString(inLowercase: name)
      if let place = places[attribute] {
        if binds[place].key == nil { binds[place].key = key }
        continue
      }
      places[attribute] = binds.count
      let escaper = try Self.escaper(of: attribute, on: tag, schemes: schemes)
      var rule = BindRule(attribute: key, key: key, escaper: escaper)
      if Self.booleans.contains(attribute) { rule.form = .boolean }
      if attribute == "class" { rule.form = .classList }
      binds.append(rule)
    }
  }

  /// The characters of attribute names in the policy: none that ends a name, or starts a value or a tag.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: HTMLTokenizer.isLetter(byte)
    }
  }

  private static func escaper(of attribute: ExactString, on tag: StartTag, schemes: URLSchemes)
    throws(Refusal)
    -> Escaper
  {
    if tag.name == "meta", attribute == "content", tag.attribute("http-equiv") != nil {
      throw Refusal(
        .refusedAttribute, "content of a <meta> with http-equiv can redirect the page",
        hint: "write it as static text")
    }
    if let refusal = AttributePolicy.refusal(
      of: attribute, on: tag.name, beside: tag.has, text: { tag.attribute($0)?.text })
    {
      throw refusal
    }
    var value = ValueContext(attribute, AttributePolicy.kind(of: attribute, on: tag.name), schemes: schemes)
    return try value.hole(on: tag.name)
  }

  private static let booleans: Set<ExactString> = [
    "hidden", "checked", "selected", "disabled", "readonly", "required", "multiple", "open", "reversed",
    "itemscope",
    "autofocus", "controls", "loop", "muted", "default", "ismap", "novalidate", "formnovalidate", "inert",
  ]
}

/// An attribute that an outlet's value may set.
struct BindRule {
  /// As printed.
  let attribute: String
  /// As compared.
  var name: ExactString { ExactString(inLowercase: attribute.utf8) }
  var key: String?
  var form = BindEntry.Form.text
  let escaper: Escaper
  var takesScalar = false
  var takesChoice = false

  func node(designed: [CellNode], at: Int) -> BindNode {
    BindNode(
      attribute: attribute, at: at, key: key, form: form, escaper: escaper, takesScalar: takesScalar,
      takesChoice: takesChoice,
      designed: designed)
  }
}
