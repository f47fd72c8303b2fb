/// How a browser treats an element at a place, if that differs from what was written.
///
/// Source: HTML standard, 13.2.6 "Tree construction".
enum ElementRules {
  /// The namespace that an element gets.
  static func namespace(of name: ExactString, in context: ElementContext) -> ElementContext.Namespace {
    if context.namespace != .html { return context.namespace }
    if name == "svg" { return .svg }
    if name == "math" { return .math }
    return context.parent == .unknown && Elements.has(.svg, name) ? .svg : .html
  }

  /// - Throws: if a browser would close, move, rename or drop something because of this start tag.
  static func check(_ name: ExactString, in context: ElementContext) throws(Refusal) {
    if ["annotation-xml", "mglyph", "malignmark"].contains(name) {
      throw misplaced(
        "how the content of <\(name)> is parsed depends on its surroundings", "remove <\(name)>")
    }
    if context.open.contains(.code) {
      throw misplaced(
        "<\(name)> is inside an element whose content is not markup in HTML",
        "use only text in it inside SVG and MathML")
    }
    if context.open.contains(.textOnly) {
      throw misplaced(
        "<\(name)> in a <title> or <textarea> is text unless the cell is inside an <svg>",
        "put the drawing into an <svg>")
    }
    if context.open.contains(.fallback), Elements.has(.fallback, name) {
      throw misplaced(
        "<\(name)> in a <noscript> or <noembed> may or may not end it", "put it after the other one")
    }
    if context.namespace != .html {
      if Elements.has(.leavesForeign, name) {
        throw misplaced(
          "<\(name)> inside SVG or MathML ends it", "put it in a <foreignObject>, or outside of the drawing")
      }
      return
    }
    try checkNames(name, in: context)
    try checkParent(name, in: context)
    try checkScope(name, in: context)
  }

  private static func checkNames(_ name: ExactString, in context: ElementContext) throws(Refusal) {
    switch name {
    case "html", "head", "body", "frameset", "frame":
      throw Refusal(
        .pageElement, "<\(name)> belongs to the page, not to a cell",
        hint: "remove the tag and keep its content")
    case "plaintext":
      throw misplaced("<plaintext> can never be closed", "use <pre> and escape its content")
    case "image" where context.parent != .unknown:
      throw misplaced("<image> is read as <img>", "write <img>, or put it in an <svg>")
    default: return
    }
  }

  private static func checkParent(_ name: ExactString, in context: ElementContext) throws(Refusal) {
    let isScripting = name == "script" || name == "template" || name == "style"
    switch context.parent {
    case .unknown: return
    case .flow:
      if Elements.has(.tablePart, name) {
        throw misplaced(
          "<\(name)> outside of a table is dropped", "put it in a <table>, or at the top of a cell")
      }
    case .heading:
      if Elements.has(.heading, name) {
        throw misplaced("<\(name)> in a heading closes the heading", "close the heading before it")
      }
      if Elements.has(.tablePart, name) {
        throw misplaced("<\(name)> outside of a table is dropped", "put it in a <table>")
      }
    case .table:
      if isScripting || ["caption", "col", "colgroup", "tbody", "thead", "tfoot", "tr"].contains(name) {
        return
      }
      throw moved(name, out: "table", "put it in a cell: <tr><td>…</td></tr>")
    case .rows:
      if isScripting || name == "tr" { return }
      throw moved(name, out: "group of rows", "put it in a row: <tr>…</tr>")
    case .row:
      if isScripting || name == "td" || name == "th" { return }
      throw moved(name, out: "row", "put it in a cell: <td>…</td>")
    case .columns:
      if name == "col" || name == "template" { return }
      throw moved(name, out: "<colgroup>", "it may contain only <col>")
    case .select:
      if ["option", "optgroup", "hr", "script", "template"].contains(name) { return }
      throw misplaced(
        "<\(name)> in a <select> is dropped", "it may contain only <option>, <optgroup> and <hr>")
    case .optgroup:
      if ["option", "script", "template"].contains(name) { return }
      throw misplaced("<\(name)> in an <optgroup> is dropped or closes it", "it may contain only <option>")
    case .option:
      if name == "script" || name == "template" { return }
      throw misplaced("<\(name)> in an <option> is dropped or closes it", "it may contain only text")
    }
  }

  private static func checkScope(_ name: ExactString, in context: ElementContext) throws(Refusal) {
    let open = context.open
    if Elements.has(.closesParagraph, name), open.contains(.paragraph) {
      throw misplaced("<\(name)> in a <p> closes the <p>", "close the <p> before it, or make it a <div>")
    }
    let closed: String? =
      switch name {
      case "a" where open.contains(.link): "link"
      case "button" where open.contains(.button): "button"
      case "nobr" where open.contains(.nobr): "<nobr>"
      case "li" where open.contains(.item): "<li>"
      case "dt", "dd": open.contains(.term) ? "<dt> or <dd>" : nil
      default: nil
      }
    if let closed { throw misplaced("<\(name)> in a \(closed) closes it", "close the outer one before it") }
    if ["rt", "rp", "rb", "rtc"].contains(name), open.contains(.closable) {
      throw misplaced("<\(name)> directly in this element closes it", "close the outer one before it")
    }
    if name == "form", open.contains(.form) {
      throw misplaced("a <form> in a <form> is dropped", "close the outer one before it")
    }
  }

  /// Whether a start tag may take the place of the end tag of its neighbour in HTML, which cells write out.
  static func closes(_ name: ExactString, _ neighbour: ExactString) -> Bool {
    switch neighbour {
    case "li", "p", "tr", "option": name == neighbour
    case "td", "th": name == "td" || name == "th"
    case "dt", "dd": name == "dt" || name == "dd"
    default: false
    }
  }

  private static func misplaced(_ message: String, _ hint: String) -> Refusal {
    Refusal(.misplacedElement, message, hint: hint)
  }

  private static func moved(_ name: ExactString, out parent: String, _ hint: String) -> Refusal {
    let article = parent.hasPrefix("<") ? "" : "a "
    return misplaced("<\(name)> directly in \(article)\(parent) is moved out of it, or closes it", hint)
  }

  /// The context of an element's content.
  static func content(of name: ExactString, in context: ElementContext) -> ElementContext {
    var inner = context
    inner.namespace = namespace(of: name, in: context)
    inner.parent = .flow
    inner.open.remove(.closable)
    noteCertainty(of: name, in: context, &inner)
    if inner.namespace != .html, isCode(name) { inner.open.insert(.code) }
    if inner.namespace == .svg {
      if Elements.has(.svgIntegration, name) { enterHTML(&inner) }
    } else if inner.namespace == .math {
      if Elements.has(.mathIntegration, name) { enterHTML(&inner) }
    } else {
      inner.parent = parent(name)
      inner.open = open(name, inner.open)
    }
    return inner
  }

  /// Records what is certain about the namespace, wherever a page puts the cell.
  private static func noteCertainty(
    of name: ExactString, in outer: ElementContext, _ inner: inout ElementContext
  ) {
    if inner.namespace == .html {
      // A `font` ends SVG only with certain attributes.
      if Elements.has(.leavesForeign, name), name != "font" { inner.open.insert(.sureHTML) }
    } else if name == "svg" || name == "math" {
      inner.open.remove(.assumed)
    } else if outer.namespace == .html {
      inner.open.insert(.assumed)
    }
    let isText = Elements.has(.escapableText, name)
    if inner.namespace != .html, isText, inner.open.contains(.assumed) { inner.open.insert(.textOnly) }
  }

  private static func enterHTML(_ context: inout ElementContext) {
    context.namespace = .html
    context.open.subtract([.paragraph, .button, .nobr, .item, .term])
  }

  private static func parent(_ name: ExactString) -> ElementContext.Parent {
    switch name {
    case "table": .table
    case "tbody", "thead", "tfoot": .rows
    case "tr": .row
    case "colgroup": .columns
    case "select": .select
    case "optgroup": .optgroup
    case "option": .option
    case "template": .unknown
    default: Elements.has(.heading, name) ? .heading : .flow
    }
  }

  private static func open(_ name: ExactString, _ outer: ElementContext.Open) -> ElementContext.Open {
    var open = outer
    if Elements.has(.special, name) { open.subtract([.item, .term]) }
    if ["rt", "rp", "rb", "rtc", "p", "li", "dt", "dd"].contains(name) { open.insert(.closable) }
    switch name {
    case "template":
      open.formIntersection(.inherited.union([.code, .fallback, .sureHTML, .assumed, .textOnly]))
    case "noscript", "noembed": open.insert(.fallback)
    case "applet", "caption", "marquee", "object", "td", "th":
      open.subtract([.paragraph, .button, .nobr, .link])
    case "table", "select": open.subtract([.paragraph, .button, .nobr])
    case "button":
      open.remove(.paragraph)
      open.insert(.button)
    case "p": open.insert(.paragraph)
    case "a": open.insert(.link)
    case "nobr": open.insert(.nobr)
    case "form": open.insert(.form)
    case "li": open.insert(.item)
    case "dt", "dd": open.insert(.term)
    default: break
    }
    return open
  }

  /// Whether HTML parses the element's content neither as markup nor as visible text.
  private static func isCode(_ name: ExactString) -> Bool {
    switch Elements.content(of: name) {
    case .rawText, .script, .plaintext: true
    case .data, .rcdata: false
    }
  }

  /// How the content of an element is parsed in a cell. That of `noscript` and `noembed` is parsed as markup,
  /// as some parsers do.
  static func textMode(of name: ExactString, in namespace: ElementContext.Namespace) -> HTMLTokenizer.Content
  {
    if namespace != .html || Elements.has(.fallback, name) { return .data }
    let content = Elements.content(of: name)
    return content == .plaintext ? .data : content
  }
}
