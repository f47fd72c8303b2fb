extension AttributePolicy {
  /// Attributes that some others of the same element keep from taking values.
  static let judgedBeside: [ExactString] = [
    "href", "content", "data-for", "title", "data-title", "data-tip-text", "data-source", "data-item",
    "data-menu", "action",
    "src", "data-src", "data-url", "data-type", "data-selector", "data-bs-selector", "data-bsselector",
    "name", "for",
    "label", "offset",
  ]

  private static let titles: [ExactString] = ["title", "data-title"]
  private static let showingHTML: [ExactString] = ["data-html", "data-bs-html", "data-bshtml"]
  private static let delegating: [ExactString] = ["data-selector", "data-bs-selector", "data-bsselector"]

  /// Attributes that a library shows as HTML if the element has one of some others.
  private static let shownAsHTML: [(attributes: [ExactString], causes: [ExactString], library: String)] = [
    // Tooltips. Old versions do not sanitize the HTML.
    (titles, showingHTML, "Bootstrap"),
    (["title", "data-title"], ["uk-tooltip", "data-uk-tooltip", "data-uk-lightbox"], "UIkit"),
    (["title", "data-tip-text"], ["data-allow-html"], "Foundation"),
    (["title"], ["data-tooltip"], "Foundation 5"),
    (["data-title"], ["data-intro"], "intro.js"),
    // The caption of a picture. With a class instead, as GLightbox has it, nothing tells them from attributes of scripts.
    (titles, ["data-lightbox", "data-fancybox"], "the lightbox"),
    // The typeahead of version 2.
    (["data-source", "data-item", "data-menu"], ["data-provide"], "Bootstrap 2"),
  ]

  /// Attributes whose URL a library loads, to run what comes or to put it into the page, if the element has one of some
  /// others. `formaction` stays on the page's origin, since the form around it may be one of these.
  private static let loaded: [(attributes: [ExactString], causes: [ExactString], library: String)] = [
    (["href", "action"], ["data-ajax"], "jQuery Unobtrusive"),
    (["href", "action", "data-url"], ["data-remote"], "rails-ujs"),
    (["href"], dojo, "Dojo"),
    (["href"], ["data-reveal-ajax"], "Foundation 5"),
    (["href", "data-src"], ["data-fancybox-type"], "Fancybox 2"),
    // Version 1 loads forms from any origin. Both take links of their own host alone, but on any port of it.
    (["href", "action"], boosting, "htmx"), (["href", "action"], enhancing, "Intercooler"),
    // Options are attributes, with `data-` or without.
    (["src", "data-src"], ["uk-svg", "data-uk-svg"], "UIkit"),
  ]

  static let dojo: [ExactString] = ["data-dojo-type", "dojotype"]

  private static let boosting: [ExactString] = ["hx-boost", "data-hx-boost"]
  private static let enhancing: [ExactString] = ["ic-enhance", "data-ic-enhance"]

  /// What holds for all inside an element that has one attribute of each group.
  struct Inherited {
    let attributes: [[ExactString]]
    let mark: ElementContext.Open
    /// Whether the value `false` ends what an element around began.
    var endsWithFalse = false
    /// What to do instead where a cell with a dynamic name is refused.
    let hint: String
  }

  /// Which of its two names Intercooler reads, the page decides. Bootstrap shows the tooltips of what `data-selector` names with
  /// the options of the element that has it.
  static let inherited = [
    Inherited(
      attributes: [boosting], mark: .boosted, endsWithFalse: true,
      hint: "put hx-boost on the links and forms themselves"),
    Inherited(
      attributes: [enhancing], mark: .enhanced, hint: "put ic-enhance on the links and forms themselves"),
    Inherited(attributes: [showingHTML, delegating], mark: .delegated, hint: "remove data-html"),
  ]

  /// Attributes that AngularJS evaluates if the element has one of some directives, as an attribute or a word of its class; and
  /// `src` of a file that it compiles.
  private static let evaluated: [(attribute: ExactString, directives: Set<ExactString>)] = [
    ("name", ["ngForm"]), ("for", ["ngMessages", "ngAnimateSwap"]), ("offset", ["ngPluralize"]),
    ("src", ["ngInclude", "ngMessagesInclude"]),
  ]

  /// The names of `<meta>` whose content decides what runs, with the reason.
  private static let metaNames: [(name: String, reason: String, example: String)] = [
    ("csrf-param", "rails-ujs makes HTML of the content of csrf-param", "content=\"authenticity_token\""),
    ("htmx-config", "htmx obeys the content of htmx-config", "content='{\"timeout\": 5000}'"),
    ("turbo-root", "Turbo takes what turbo-root names for its own pages", "content=\"/app\""),
    ("turbolinks-root", "Turbolinks takes what turbolinks-root names for its own pages", "content=\"/app\""),
    ("action-cable-url", "Action Cable shows what comes from action-cable-url", "content=\"/cable\""),
    ("referrer", "the content of referrer decides what others learn of the page", "content=\"no-referrer\""),
  ]

  /// The same, of those whose content the owner may decide.
  private static let ownersMetaNames: [(name: String, reason: String)] = [
    ("csrf-token", "rails-ujs makes HTML of the content of csrf-token"),
    ("csp-nonce", "Turbo runs the scripts that have the content of csp-nonce"),
  ]

  /// Why an attribute takes no values next to others of the same element.
  ///
  /// Besides those that are shown as HTML, loaded or evaluated: Bootstrap before version 4 loads what `href` names into a dialog, and
  /// some names of `<meta>` make scripts obey the content. Takes what it asks of the element apart, so that the walk need not collect
  /// it for attributes without values.
  /// - Parameters:
  ///   - directive: the first of some directives of AngularJS that the element is or has: `next to ng-form`.
  ///   - text: the static value of another attribute, nil if it has none.
  ///   - isOpen: whether a value may decide what origin the attribute's URL is on; of `content`, whether a value that is not
  ///     the owner's is in it.
  ///   - inside: what the elements around this one make libraries do.
  static func refusal(
    of attribute: ExactString, on element: ExactString, beside has: (ExactString) -> Bool,
    directive: (Set<ExactString>) -> String?, text: (ExactString) -> [UInt8]?, isOpen: Bool,
    inside: ElementContext.Open
  ) -> Refusal? {
    if attribute == "href", element == "link" {
      // A dynamic one is refused itself.
      let isRefused = has("rel") && text("rel") == nil
      return isRefused || leadsOnly(text("rel")) ? nil : loadingLink
    }
    if attribute == "href", has("data-toggle"), text("data-toggle").map({ isWord($0, "modal") }) ?? true {
      return Refusal(
        .refusedAttribute, "Bootstrap may load what href names into the dialog of data-toggle=\"modal\"",
        hint: "write href=\"#\", and name the dialog with data-target=\"#…\"")
    }
    if attribute == "data-for" {
      guard element == "template" else { return nil }
      return Refusal(
        .refusedAttribute, "Datastar evaluates data-for of a <template>", hint: "write it as static text")
    }
    if attribute == "content" {
      guard element == "meta", let name = text("name") else { return nil }
      if isOpen, let rule = ownersMetaNames.first(where: { isWord(name, $0.name) }) {
        return Refusal(
          .refusedAttribute, rule.reason,
          hint: "leave this <meta> to the page, or take the value from the owner: {{owner.name}}")
      }
      guard let rule = metaNames.first(where: { isWord(name, $0.name) }) else { return nil }
      return Refusal(.refusedAttribute, rule.reason, hint: "write it as static text: \(rule.example)")
    }
    if attribute == "data-type", has("data-remote") {
      return Refusal(
        .refusedAttribute, "rails-ujs runs what comes if data-type next to data-remote says so",
        hint: "write it as static text: data-type=\"json\"")
    }
    if isOpen, attribute == "href" || attribute == "data-src", has("data-fancybox"), has("data-type"),
      text("data-type").map({ isWord($0, "ajax") }) ?? true
    {
      return Refusal(
        .refusedAttribute, "Fancybox loads \(attribute) next to data-type=\"ajax\", from any origin",
        hint: "start it with a static path or host: \(attribute)=\"/{{path}}\"")
    }
    if isOpen {
      for rule in loaded where rule.attributes.contains(attribute) {
        let inherits = inherited.contains { inside.contains($0.mark) && $0.attributes == [rule.causes] }
        guard let cause = rule.causes.first(where: has) ?? (inherits ? rule.causes.first : nil)
        else { continue }
        return Refusal(
          .refusedAttribute,
          "\(rule.library) loads \(attribute) \(has(cause) ? "next to" : "inside") \(cause), from any origin",
          hint: "start it with a static path or host: \(attribute)=\"/{{path}}\"")
      }
    }
    for rule in evaluated where rule.attribute == attribute {
      // Refused on this element whatever is beside it.
      if case .refused = kind(of: attribute, on: element, .none) { continue }
      guard let cause = directive(rule.directives) else { continue }
      return Refusal(
        .refusedAttribute, "AngularJS evaluates \(attribute) \(cause)",
        hint: "write it as static text")
    }
    if delegating.contains(attribute), let cause = showingHTML.first(where: has) {
      return Refusal(
        .refusedAttribute, "Bootstrap shows the title of what \(attribute) names as HTML, next to \(cause)",
        hint: "write it as static text")
    }
    if inside.contains(.delegated), titles.contains(attribute) {
      return Refusal(
        .refusedAttribute,
        "Bootstrap shows \(attribute) inside data-selector as HTML, where data-html is next to that",
        hint: "remove data-html, or write \(attribute) as static text")
    }
    for rule in shownAsHTML where rule.attributes.contains(attribute) {
      guard let cause = rule.causes.first(where: has) else { continue }
      return Refusal(
        .refusedAttribute, "\(rule.library) shows \(attribute) next to \(cause) as HTML",
        hint: "remove \(cause), or write \(attribute) as static text")
    }
    return nil
  }

  /// Whether a static value is a word, in any case.
  private static func isWord(_ text: [UInt8], _ word: String) -> Bool {
    String(decoding: text, as: UTF8.self).lowercased().utf8.elementsEqual(word.utf8)
  }

  /// Whether a `<link>` only says where something is: none of these relations loads a style sheet or script.
  /// - Parameter rel: its static value; nil if there is none.
  private static func leadsOnly(_ rel: [UInt8]?) -> Bool {
    guard let rel else { return false }
    let words = rel.split(whereSeparator: HTMLTokenizer.isSpace)
    return !words.isEmpty && words.allSatisfy { relations.contains(ExactString(inLowercase: $0)) }
  }

  /// `shortcut` is written before `icon`, and means nothing.
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
