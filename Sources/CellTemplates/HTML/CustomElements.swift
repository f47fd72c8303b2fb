/// Custom elements: which of their attributes may contain values, beyond those that any element may have.
package struct CustomElements: Sendable {
  /// What an attribute's value is.
  package enum Form: Sendable, Equatable {
    case text
    /// A URL of the page's origin.
    case ownURL
    /// A URL with any scheme that links may have.
    case url
    /// There or not, whatever its value.
    case boolean
  }

  package static let none = CustomElements()

  /// By element, then by attribute.
  private var forms: [ExactString: [ExactString: Form]] = [:]

  package init() {}

  /// Adds an attribute; both names in lowercase.
  /// - Returns: false if it is there with another form.
  package mutating func add(_ attribute: String, of element: String, _ form: Form) -> Bool {
    let known = forms[ExactString(element)]?[ExactString(attribute)]
    forms[ExactString(element), default: [:]][ExactString(attribute)] = known ?? form
    return known == nil || known == form
  }

  /// The kind of an attribute that is declared; nil for any other.
  func kind(of attribute: String, on element: String) -> AttributeKind? {
    switch forms[ExactString(element)]?[ExactString(attribute)] {
    case .text, .boolean: .plain
    case .ownURL: .sameOriginURL
    case .url: .url
    case nil: nil
    }
  }

  /// Whether an attribute takes values because it is declared. What any element may have stays what it is.
  func declares(_ attribute: ExactString, on element: ExactString) -> Bool {
    forms[element]?[attribute] != nil && !AttributePolicy.isOfEveryElement(attribute.text)
  }

  /// Whether an attribute is declared as there or not. What any element may have stays what it is.
  func isBoolean(_ attribute: ExactString, on element: ExactString) -> Bool {
    forms[element]?[attribute] == .boolean && !AttributePolicy.isOfEveryElement(attribute.text)
  }

  /// Bytes that differ if anything differs.
  var digest: [UInt8] {
    var text: [UInt8] = []
    for (element, attributes) in forms.sorted(by: { $0.key < $1.key }) {
      text += Array(element.utf8) + [0]
      for (attribute, form) in attributes.sorted(by: { $0.key < $1.key }) {
        text += Array("\(attribute) \(form)".utf8) + [0]
      }
    }
    return text
  }
}

/// Names that may be declared.
extension CustomElements {
  /// Whether an element can have this name: a valid custom element name of the HTML standard.
  package static func isElementName(_ name: String) -> Bool {
    let reserved: Set = [
      "annotation-xml", "color-profile", "font-face", "font-face-src", "font-face-uri", "font-face-format",
      "font-face-name", "missing-glyph",
    ]
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first),
      name.utf8.contains(UInt8(ascii: "-")),
      !reserved.contains(name)
    else { return false }
    return name.unicodeScalars.allSatisfy(isNameScalar)
  }

  /// `PCENChar` of the HTML standard.
  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", ".", "0"..."9", "_", "a"..."z", "\u{B7}", "\u{C0}"..."\u{D6}", "\u{D8}"..."\u{F6}",
      "\u{F8}"..."\u{37D}", "\u{37F}"..."\u{1FFF}", "\u{200C}"..."\u{200D}", "\u{203F}"..."\u{2040}",
      "\u{2070}"..."\u{218F}", "\u{2C00}"..."\u{2FEF}", "\u{3001}"..."\u{D7FF}", "\u{F900}"..."\u{FDCF}",
      "\u{FDF0}"..."\u{FFFD}", "\u{10000}"..."\u{EFFFF}":
      true
    default: false
    }
  }

  /// Whether an attribute can have this name, in lowercase.
  package static func isAttributeName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 256
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
          && !"\"'>/=<`{}".unicodeScalars.contains(scalar)
      }
  }

  /// Why an attribute takes no values, whatever a manifest says; nil if it may be declared.
  package static func refusal(of attribute: String, on element: String) -> String? {
    if AngularDirective.isName(ExactString(element)) { return "AngularJS may evaluate it" }
    if ["html", "innerhtml", "template"].contains(attribute) { return "what it holds becomes markup" }
    let kind =
      TurboElements.kind(of: attribute, on: element) ?? AttributePolicy.kindAnywhere(of: attribute)
    if case .refused(let reason)? = kind { return reason }
    return isEvaluated(attribute) ? "a front-end library evaluates it" : nil
  }

  /// Whether a library evaluates an attribute that no element may have unless it is declared.
  private static func isEvaluated(_ attribute: String) -> Bool {
    if evaluated.contains(attribute)
      || evaluatedPrefixes.contains(where: { attribute.utf8.starts(with: $0.utf8) })
    {
      return true
    }
    let directive = AngularDirective.normalized(attribute.utf8).utf8
    return directive.starts(with: "ng".utf8)
      && directive.dropFirst(2).first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } == true
  }

  /// Of hyperscript, Dojo and Vue 2.
  private static let evaluated: Set = ["script", "dojotype", "slot-scope"]
  /// Of Intercooler, UIkit and Vue: the last two are slots and properties.
  private static let evaluatedPrefixes = ["ic-", "uk-", "#", "."]
}
