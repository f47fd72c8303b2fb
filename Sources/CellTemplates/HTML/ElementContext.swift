/// What the open elements at a place mean for elements that begin there.
///
/// This is exactly the part of the parser's stack that a template called at the place must know: the
/// innermost element, as far as its content is restricted, and the elements in scope that a start tag could
/// close.
struct ElementContext: Hashable {
  enum Parent: UInt8 {
    /// The top level of a cell or of a `<template>`; the page determines the surroundings.
    case unknown
    case flow, heading
    case table, rows, row, columns
    case select, optgroup, option
  }

  enum Namespace: UInt8 { case html, svg, math }

  struct Open: OptionSet, Hashable {
    let rawValue: UInt16
    static let paragraph = Open(rawValue: 1)
    static let link = Open(rawValue: 2)
    static let button = Open(rawValue: 4)
    static let form = Open(rawValue: 8)
    static let nobr = Open(rawValue: 16)
    static let item = Open(rawValue: 32)
    static let term = Open(rawValue: 64)
    /// `style`, `script` and other raw-text elements of HTML inside SVG or MathML. They are parsed as text
    /// there, but they are code, or would be parsed as HTML elsewhere.
    static let code = Open(rawValue: 128)
    /// The innermost element is closed by a part of a ruby annotation.
    static let closable = Open(rawValue: 256)
    /// `noscript` or `noembed`. Parsers without scripting, such as `template.innerHTML`, parse its content as
    /// markup, others as text. It is parsed as markup and must be valid as both.
    static let fallback = Open(rawValue: 512)
    /// Inside an element that ends SVG and MathML where it begins: this is HTML wherever a page puts the
    /// cell.
    static let sureHTML = Open(rawValue: 1024)
    /// SVG assumed because of the cell's first element; a page may put the cell into HTML.
    static let assumed = Open(rawValue: 2048)
    /// `title` or `textarea` inside assumed SVG, whose content would be text in HTML.
    static let textOnly = Open(rawValue: 4096)
    /// Inside an element with `hx-boost`, which holds for all in it.
    static let boosted = Open(rawValue: 8192)
    /// Inside an element with `ic-enhance`, which holds for all in it.
    static let enhanced = Open(rawValue: 16384)

    /// Inside an element with `data-html` and `data-selector`, whose tooltips Bootstrap shows.
    static let delegated = Open(rawValue: 32768)

    /// What libraries do with all inside an element.
    static let inherited: Open = [.boosted, .enhanced, .delegated]

    /// Inside elements whose content is code, or is parsed in two ways.
    static let notText: Open = [.code, .fallback, .textOnly]

    /// Elements that some start tags close.
    static let closedByTags: Open = [.paragraph, .link, .button, .form, .nobr, .item, .term, .closable]
  }

  var parent = Parent.unknown
  var namespace = Namespace.html
  var open: Open = []

  /// Whether some elements would be moved out of here or dropped, so that unknown content is not allowed.
  var isPicky: Bool {
    switch parent {
    case .table, .rows, .row, .columns, .select, .optgroup, .option: true
    case .unknown, .flow, .heading: false
    }
  }

  /// Whether text here would be moved out of a table.
  var movesText: Bool {
    switch parent {
    case .table, .rows, .row, .columns: namespace == .html
    default: false
    }
  }
}
