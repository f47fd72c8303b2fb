/// Which attributes may contain values: an allowlist by element and attribute. All others are refused.
///
/// Sources: HTML standard, index of attributes; SVG 2, attribute index; ARIA in HTML. For attributes that
/// libraries execute, the references of htmx 2, Alpine 3, Vue 3, AngularJS 1, Livewire 3 and hyperscript;
/// `DataAttributes` lists more.
enum AttributePolicy {
  /// - Parameters:
  ///   - attribute: its name, in lowercase.
  ///   - element: its name, in lowercase.
  ///   - custom: the custom elements that are declared.
  static func kind(
    of attribute: ExactString, on element: ExactString, _ custom: CustomElements
  ) -> AttributeKind {
    let (exact, attribute, element) = (attribute.text, inASCII(attribute.text), element.text)
    if element == "form", DataAttributes.name(attribute) == "name" {
      return .refused("AngularJS evaluates it")
    }
    // Of a link in a lightbox; what is around a cell is not known.
    if element == "a", DataAttributes.name(attribute) == "source" {
      return .refused("UIkit loads what it names into a frame")
    }
    // Scripts that load later copy these there.
    if DataAttributes.isSource(attribute), ["iframe", "frame", "embed", "script"].contains(element) {
      return kind(of: "src", on: ExactString(element), custom)
    }
    if element == "link", DataAttributes.name(attribute) == "href" { return .loadedURL }
    if let kind = TurboElements.kind(of: attribute, on: element) { return kind }
    if let kind = kindAnywhere(of: attribute) { return kind }
    // What every element may have stays what it is.
    if !isOfEveryElement(attribute), let kind = custom.kind(of: exact, on: element) { return kind }
    if element == "applet" || element == "param" { return .refused("<\(element)> runs what it names") }
    if animations.contains(element), animated.contains(attribute) {
      return .refused("SVG animation can set any attribute, including links")
    }
    if let kind = onElements["\(element) \(attribute)"] { return kind }
    if attribute == "content" {
      return element == "meta" ? .plain : .refused("content is allowed only on <meta>")
    }
    return anywhere[attribute] ?? .refused("it is not on the list of attributes that may contain values")
  }

  /// The kind of an attribute that means the same, or is refused, on every element; nil for any other.
  static func kindAnywhere(of attribute: String) -> AttributeKind? {
    let attribute = inASCII(attribute)
    if let reason = refusals[attribute] { return .refused(reason) }
    if attribute.hasPrefix("data-") { return DataAttributes.kind(of: attribute) }
    if attribute.hasPrefix("aria-") { return .plain }
    if let kind = HtmxAttributes.kind(of: attribute) { return kind }
    if attribute.hasPrefix("on") { return .refused("event handlers run script") }
    if attribute.hasPrefix("xmlns") { return .refused("a namespace decides what the elements are") }
    if libraryPrefixes.contains(where: attribute.hasPrefix) {
      return .refused("a front-end library evaluates it")
    }
    return nil
  }

  /// Whether any element may have the attribute, with the same meaning.
  static func isOfEveryElement(_ attribute: String) -> Bool {
    anywhere[attribute] != nil || kindAnywhere(of: attribute) != nil
  }

  /// Whether an attribute determines what others mean, so that it must be static and outside sections.
  static func mustBeUnconditional(_ attribute: ExactString, on element: ExactString) -> Bool {
    switch attribute {
    case "type": element == "script"
    case "name": element == "meta"
    case "target": !TurboElements.names.contains(element)
    case "http-equiv", "rel", "is", "sandbox": true
    default: false
    }
  }

  // MARK: The table

  /// The name with `?` for every other code point. Every listed name is ASCII. Scripts compare code points, but Swift
  /// compares characters, and a combining mark makes one with the last code point of a prefix.
  private static func inASCII(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
  }

  /// Refused on every element.
  private static let refusals: [String: String] = [
    "srcdoc": "it is a document of its own",
    "http-equiv": "it decides what content means, and must be static",
    "type": "it decides how the element is read, and must be static",
    "rel": "it decides what the link does, and must be static",
    "is": "it decides what the element is, and must be static",
    "sandbox": "it decides what a frame may do, and must be static",
    "target": "it decides where a link opens, and must be static",
    "method": "it decides what a form does, and must be static",
    "referrerpolicy": "it decides what others learn of the page, and must be static",
    "command": "it decides what a button does, and must be static",
    "_": "hyperscript runs it",
  ]

  private static let libraryPrefixes = ["x-", "@", ":", "v-", "ng-", "wire:"]
  private static let animations: Set = [
    "set", "animate", "animatecolor", "animatemotion", "animatetransform",
  ]
  private static let animated: Set = ["to", "values", "from", "by", "attributename", "href", "xlink:href"]

  private static let onElements: [String: AttributeKind] = [
    "a href": .url, "area href": .url, "a xlink:href": .url, "image href": .url, "image xlink:href": .url,
    "use href": .loadedOrFragmentURL, "use xlink:href": .loadedOrFragmentURL,
    "lineargradient href": .fragmentURL, "lineargradient xlink:href": .fragmentURL,
    "radialgradient href": .fragmentURL, "radialgradient xlink:href": .fragmentURL,
    "pattern href": .fragmentURL, "pattern xlink:href": .fragmentURL,
    "textpath href": .fragmentURL, "textpath xlink:href": .fragmentURL,
    "img src": .url, "audio src": .url, "video src": .url, "source src": .url, "track src": .url,
    "input src": .url,
    "video poster": .url, "img longdesc": .url,
    "blockquote cite": .url, "q cite": .url, "del cite": .url, "ins cite": .url,
    "body background": .url, "table background": .url, "tr background": .url, "td background": .url,
    "th background": .url,
    "a ping": .urlList, "area ping": .urlList,
    "form action": .url, "button formaction": .sameOriginURL, "input formaction": .sameOriginURL,
    "img srcset": .srcset, "source srcset": .srcset, "link imagesrcset": .srcset,
    "base href": .refused("it changes every link of the page"),
    // Judged beside `rel`.
    "link href": .url,
    "iframe src": .loadedURL, "frame src": .refused("it loads a document"),
    "embed src": .refused("it loads a document"), "object data": .refused("it loads a document"),
    "script src": .refused("it runs what it loads"),
    "template scope": .refused("Vue 2 evaluates it"),
    "form name": .refused("AngularJS evaluates it"),
    // No link has it, but a lightbox of UIkit 3.2 shows it as HTML.
    "a alt": .refused("UIkit shows it as HTML"),
    // Judged beside `ng-pluralize`.
    "stop offset": .plain,
    "meta name": .refused("it decides what content means, and must be static"),
    "track srclang": .plain, "track kind": .plain,
    "area shape": .plain, "area coords": .plain, "img usemap": .fragmentURL, "input usemap": .fragmentURL,
    "button popovertarget": .plain, "input popovertarget": .plain,
    "button popovertargetaction": .plain, "input popovertargetaction": .plain,
    "button commandfor": .plain, "input accept": .plain, "source media": .plain,
    "script nonce": .ownerOnly, "style nonce": .ownerOnly, "link nonce": .ownerOnly,
  ].merging(presentation) { own, _ in own }.merging(directives) { own, _ in own }

  /// Elements of AngularJS of which an attribute is evaluated.
  private static let directives: [String: AttributeKind] = {
    var table: [String: AttributeKind] = [:]
    for (directive, attribute) in [("form", "name"), ("messages", "for"), ("animate-swap", "for")] {
      for element in angular(directive) {
        table["\(element) \(attribute)"] = .refused("AngularJS evaluates it")
      }
    }
    return table
  }()

  /// The usual ways to write a directive of AngularJS, as an element or an attribute.
  static func angular(_ directive: String) -> [String] {
    ["", "data-", "x-"].flatMap { prefix in ["-", ":", "_"].map { "\(prefix)ng\($0)\(directive)" } }
  }

  /// What old pages and mail still use to place and colour elements.
  private static let presentation: [String: AttributeKind] = {
    var table: [String: AttributeKind] = [:]
    let elements = [
      "bgcolor": "body table tr td th",
      "align":
        "table caption colgroup col thead tbody tfoot tr td th p div h1 h2 h3 h4 h5 h6 hr img iframe legend input",
      "valign": "colgroup col thead tbody tfoot tr td th",
      "fetchpriority": "img link script iframe",
    ]
    for (attribute, names) in elements {
      for element in names.split(separator: " ") { table["\(element) \(attribute)"] = .plain }
    }
    return table
  }()

  private static let anywhere: [String: AttributeKind] = {
    var table: [String: AttributeKind] = ["style": .style]
    let plain = """
      id class title alt lang dir value placeholder datetime name for headers scope colspan rowspan span width height \
      role tabindex label start min max low high optimum step maxlength minlength size rows cols list pattern \
      download hreflang autocomplete inputmode enterkeyhint form slot part draggable spellcheck itemprop itemid \
      itemscope itemtype accesskey translate hidden checked selected disabled readonly required multiple open \
      reversed autofocus controls inert loop muted novalidate loading decoding sizes abbr wrap contenteditable
      """
    let geometry = """
      viewbox x y x1 x2 y1 y2 cx cy r rx ry dx dy d points transform pathlength preserveaspectratio rotate \
      stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit \
      stroke-opacity fill-opacity fill-rule clip-rule opacity stop-opacity text-anchor dominant-baseline \
      alignment-baseline baseline-shift font-size font-weight font-style letter-spacing word-spacing \
      visibility vector-effect textlength lengthadjust gradientunits gradienttransform fx fy
      """
    for name in plain.split(separator: " ") + geometry.split(separator: " ") { table[String(name)] = .plain }
    for name in [
      "fill", "stroke", "stop-color", "flood-color", "lighting-color", "color", "clip-path", "mask", "filter",
      "marker", "marker-start", "marker-mid", "marker-end",
    ] {
      table[name] = .styleValue
    }
    return table
  }()
}

extension AttributePolicy {
  /// Whether the attribute is read by nibs and never written to the output.
  static func isOfNibs(_ attribute: ExactString) -> Bool {
    switch attribute {
    case "data-cell", "data-class", "data-outlet", "data-tag", "data-bind", "data-raw", "data-embed",
      "data-design", "data-missing", "data-when", "data-include", "data-format", "data-plural", "data-case":
      true
    default: false
    }
  }

  /// Whether the value of the attribute is a URL on the elements that have it.
  static func isOfURLs(_ attribute: ExactString) -> Bool {
    ["href", "xlink:href", "src", "action", "formaction", "poster"].contains(attribute)
  }

  /// The attributes that make a node of their element, with all inside it.
  static let wrapping: [ExactString] = [
    "data-outlet", "data-tag", "data-when", "data-missing", "data-include", "data-plural", "data-case",
  ]

  /// Whether the attribute belongs to nibs and binds a value.
  static func isOfOutlets(_ attribute: ExactString) -> Bool {
    ["data-outlet", "data-tag", "data-bind", "data-when", "data-include", "data-plural"].contains(attribute)
  }
}
