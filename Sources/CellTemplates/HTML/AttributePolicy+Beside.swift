extension AttributePolicy {
  /// Attributes that some others of the same element keep from taking values.
  static let judgedBeside: [ExactString] = ["title", "data-title", "href"]

  /// Why an attribute takes no values next to others of the same element. Bootstrap shows the title of a tooltip as
  /// HTML if `data-html` or `data-bs-html` is set, and old versions do not sanitize it. Versions before 4 load what `href`
  /// names into a dialog.
  /// - Parameter text: the static value of another attribute, nil if it has none.
  static func refusal(
    of attribute: ExactString, on element: ExactString, beside has: (ExactString) -> Bool,
    text: (ExactString) -> [UInt8]?
  ) -> Refusal? {
    if attribute == "href", element == "link" {
      // A dynamic one is refused itself.
      let isRefused = has("rel") && text("rel") == nil
      return isRefused || leadsOnly(text("rel")) ? nil : loadingLink
    }
    if attribute == "href", has("data-toggle") {
      let toggle = text("data-toggle").map { String(decoding: $0, as: UTF8.self).lowercased().utf8 }
      guard toggle?.elementsEqual("modal".utf8) ?? true else { return nil }
      return Refusal(
        .refusedAttribute, "Bootstrap may load what href names into the dialog of data-toggle=\"modal\"",
        hint: "write href=\"#\", and name the dialog with data-target=\"#…\"")
    }
    guard attribute == "title" || attribute == "data-title",
      let cause = (["data-html", "data-bs-html"] as [ExactString]).first(where: has)
    else { return nil }
    return Refusal(
      .refusedAttribute, "Bootstrap shows \(attribute) next to \(cause) as HTML",
      hint: "remove \(cause): a tooltip then shows text")
  }

  /// Whether a `<link>` only says where something is: none of these relations loads a style sheet or script.
  /// - Parameter rel: its static value; nil if there is none.
  private static func leadsOnly(_ rel: [UInt8]?) -> Bool {
    guard let rel else { return false }
    let words = rel.split(whereSeparator: HTMLTokenizer.isSpace)
    return !words.isEmpty && words.allSatisfy { relations.contains(ExactString(inLowercase: $0)) }
  }

  /// `shortcut` stands beside `icon`, and means nothing.
  private static let relations: Set<ExactString> = [
    "canonical", "alternate", "next", "prev", "author", "license", "help", "search", "icon",
    "apple-touch-icon",
    "shortcut",
  ]

  private static var loadingLink: Refusal {
    Refusal(
      .refusedAttribute, "href of a <link> loads style sheets and more, unless its rel says otherwise",
      hint: "write it as static text, or beside a static rel such as canonical, alternate, next, prev or icon"
    )
  }
}
