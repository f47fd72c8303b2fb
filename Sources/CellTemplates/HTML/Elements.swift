/// What a parser knows about an element from its name. One row for each element with special rules.
///
/// Sources: HTML standard, 13.1.2 "Elements", 13.1.2.4 "Optional tags", 13.2.4.2 "The stack of open
/// elements", 13.2.6 "Tree construction".
enum Elements {
  struct Traits: OptionSet {
    let rawValue: UInt32
    /// Has no content and no end tag.
    static let void = Traits(rawValue: 1)
    /// One of the standard's "special" elements except `address`, `div` and `p`: it ends the search for an
    /// open item.
    static let special = Traits(rawValue: 1 << 1)
    /// Its start tag closes an open `<p>`.
    static let closesParagraph = Traits(rawValue: 1 << 2)
    static let heading = Traits(rawValue: 1 << 3)
    /// Dropped outside a table.
    static let tablePart = Traits(rawValue: 1 << 4)
    /// Its start tag ends SVG or MathML content.
    static let leavesForeign = Traits(rawValue: 1 << 5)
    /// An SVG element: at the top level of a cell it shows that the cell belongs inside an `<svg>`.
    static let svg = Traits(rawValue: 1 << 6)
    /// Inside SVG, its content is HTML.
    static let svgIntegration = Traits(rawValue: 1 << 7)
    /// Inside MathML, its content is HTML.
    static let mathIntegration = Traits(rawValue: 1 << 8)
    /// Its content cannot close a `<p>` outside it: the standard's "button scope".
    static let buttonScope = Traits(rawValue: 1 << 9)
    /// Its content is text with character references.
    static let escapableText = Traits(rawValue: 1 << 10)
    /// Its content is text without character references.
    static let rawText = Traits(rawValue: 1 << 11)
    static let script = Traits(rawValue: 1 << 12)
    static let plaintext = Traits(rawValue: 1 << 13)
    /// Its content is text for some HTML parsers and markup for others.
    static let fallback = Traits(rawValue: 1 << 14)
    /// A newline right after its start tag is dropped.
    static let dropsLineEnd = Traits(rawValue: 1 << 15)
    /// Affects its surroundings by special rules; see `ElementRules`.
    static let ruledByName = Traits(rawValue: 1 << 16)
  }

  static func traits(of name: ExactString) -> Traits { table[name] ?? [] }

  /// Whether the element has all of the traits.
  static func has(_ traits: Traits, _ name: ExactString) -> Bool {
    self.traits(of: name).isSuperset(of: traits)
  }

  static func names(with traits: Traits) -> Set<ExactString> {
    Set(table.filter { $0.value.isSuperset(of: traits) }.keys)
  }

  /// Whether an element with this name affects its surroundings, or how it is parsed, in HTML or SVG.
  static func isKnown(_ name: ExactString) -> Bool { !traits(of: name).subtracting(.mathIntegration).isEmpty }

  /// How a browser with scripting parses the content of an HTML element.
  static func content(of name: ExactString) -> HTMLTokenizer.Content {
    let traits = traits(of: name)
    if traits.contains(.escapableText) { return .rcdata }
    if traits.contains(.rawText) { return .rawText }
    if traits.contains(.script) { return .script }
    return traits.contains(.plaintext) ? .plaintext : .data
  }

  private static let table: [ExactString: Traits] = [
    "a": [.ruledByName],
    "address": [.closesParagraph],
    "animate": [.svg],
    "animatemotion": [.svg],
    "animatetransform": [.svg],
    "applet": [.special, .buttonScope],
    "area": [.void, .special],
    "article": [.special, .closesParagraph],
    "aside": [.special, .closesParagraph],
    "b": [.leavesForeign],
    "base": [.void, .special],
    "basefont": [.void, .special],
    "bgsound": [.void, .special],
    "big": [.leavesForeign],
    "blockquote": [.special, .closesParagraph, .leavesForeign],
    "body": [.special, .leavesForeign],
    "br": [.void, .special, .leavesForeign],
    "button": [.special, .buttonScope],
    "caption": [.special, .tablePart, .buttonScope],
    "center": [.special, .closesParagraph, .leavesForeign],
    "circle": [.svg],
    "clippath": [.svg],
    "code": [.leavesForeign],
    "col": [.void, .special, .tablePart],
    "colgroup": [.special, .tablePart],
    "dd": [.special, .closesParagraph, .leavesForeign],
    "defs": [.svg],
    "desc": [.svg, .svgIntegration],
    "details": [.special, .closesParagraph],
    "dialog": [.closesParagraph],
    "dir": [.special, .closesParagraph],
    "div": [.closesParagraph, .leavesForeign],
    "dl": [.special, .closesParagraph, .leavesForeign],
    "dt": [.special, .closesParagraph, .leavesForeign],
    "ellipse": [.svg],
    "em": [.leavesForeign],
    "embed": [.void, .special, .leavesForeign],
    "fieldset": [.special, .closesParagraph],
    "figcaption": [.special, .closesParagraph],
    "figure": [.special, .closesParagraph],
    "filter": [.svg],
    "font": [.leavesForeign],
    "footer": [.special, .closesParagraph],
    "foreignobject": [.svg, .svgIntegration],
    "form": [.special, .closesParagraph],
    "frame": [.void, .special],
    "frameset": [.special],
    "g": [.svg],
    "h1": [.special, .closesParagraph, .heading, .leavesForeign],
    "h2": [.special, .closesParagraph, .heading, .leavesForeign],
    "h3": [.special, .closesParagraph, .heading, .leavesForeign],
    "h4": [.special, .closesParagraph, .heading, .leavesForeign],
    "h5": [.special, .closesParagraph, .heading, .leavesForeign],
    "h6": [.special, .closesParagraph, .heading, .leavesForeign],
    "head": [.special, .leavesForeign],
    "header": [.special, .closesParagraph],
    "hgroup": [.special, .closesParagraph],
    "hr": [.void, .special, .closesParagraph, .leavesForeign],
    "html": [.special],
    "i": [.leavesForeign],
    "iframe": [.special, .rawText],
    "image": [.svg],
    "img": [.void, .special, .leavesForeign],
    "input": [.void, .special],
    "keygen": [.void, .special],
    "label": [.ruledByName],
    "li": [.special, .closesParagraph, .leavesForeign],
    "line": [.svg],
    "lineargradient": [.svg],
    "link": [.void, .special],
    "listing": [.special, .closesParagraph, .leavesForeign, .dropsLineEnd],
    "main": [.special, .closesParagraph],
    "marker": [.svg],
    "marquee": [.special, .buttonScope],
    "mask": [.svg],
    "math": [.ruledByName],
    "menu": [.special, .closesParagraph, .leavesForeign],
    "meta": [.void, .special, .leavesForeign],
    "metadata": [.svg],
    "mi": [.mathIntegration],
    "mn": [.mathIntegration],
    "mo": [.mathIntegration],
    "mpath": [.svg],
    "ms": [.mathIntegration],
    "mtext": [.mathIntegration],
    "nav": [.special, .closesParagraph],
    "nobr": [.leavesForeign],
    "noembed": [.special, .rawText, .fallback],
    "noframes": [.special, .rawText],
    "noscript": [.special, .rawText, .fallback],
    "object": [.special, .buttonScope],
    "ol": [.special, .closesParagraph, .leavesForeign],
    "optgroup": [.ruledByName],
    "option": [.ruledByName],
    "p": [.closesParagraph, .leavesForeign],
    "param": [.void, .special],
    "path": [.svg],
    "pattern": [.svg],
    "plaintext": [.special, .closesParagraph, .plaintext],
    "polygon": [.svg],
    "polyline": [.svg],
    "pre": [.special, .closesParagraph, .leavesForeign, .dropsLineEnd],
    "radialgradient": [.svg],
    "rect": [.svg],
    "ruby": [.leavesForeign],
    "s": [.leavesForeign],
    "script": [.special, .script],
    "search": [.special, .closesParagraph],
    "section": [.special, .closesParagraph],
    "select": [.special],
    "set": [.svg],
    "small": [.leavesForeign],
    "source": [.void, .special],
    "span": [.leavesForeign],
    "stop": [.svg],
    "strike": [.leavesForeign],
    "strong": [.leavesForeign],
    "style": [.special, .rawText],
    "sub": [.leavesForeign],
    "summary": [.special, .closesParagraph],
    "sup": [.leavesForeign],
    "svg": [.ruledByName],
    "switch": [.svg],
    "symbol": [.svg],
    "table": [.special, .closesParagraph, .leavesForeign, .buttonScope],
    "tbody": [.special, .tablePart],
    "td": [.special, .tablePart, .buttonScope],
    "template": [.special, .buttonScope],
    "text": [.svg],
    "textarea": [.special, .escapableText, .dropsLineEnd],
    "textpath": [.svg],
    "tfoot": [.special, .tablePart],
    "th": [.special, .tablePart, .buttonScope],
    "thead": [.special, .tablePart],
    "title": [.special, .svgIntegration, .escapableText],
    "tr": [.special, .tablePart],
    "track": [.void, .special],
    "tspan": [.svg],
    "tt": [.leavesForeign],
    "u": [.leavesForeign],
    "ul": [.special, .closesParagraph, .leavesForeign],
    "use": [.svg],
    "var": [.leavesForeign],
    "view": [.svg],
    "wbr": [.void, .special],
    "xmp": [.special, .closesParagraph, .rawText],
  ]
}
