/// What the elements that are open at a place make of the elements that begin there.
///
/// This is all of the parser's stack that a template called at the place must know, and no more: the
/// innermost element as far as its content is ruled, and which elements are in scope that a start tag would
/// close.
struct ElementContext: Hashable {
  enum Parent: UInt8 {
    /// The top of a cell or of a `<template>`: the page decides what it is in.
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
    /// `style`, `script` and what else HTML reads as raw text, in SVG or MathML: it is read as text there,
    /// but it is code, or would be read as HTML elsewhere.
    static let code = Open(rawValue: 128)
    /// The innermost element is one that a part of a ruby annotation closes.
    static let closable = Open(rawValue: 256)
    /// `noscript` or `noembed`: its content is markup to parsers without scripting, as that of
    /// `template.innerHTML` is, and text to others. It is read as markup, and must be both.
    static let fallback = Open(rawValue: 512)
    /// An element that ends SVG and MathML where it begins: wherever a page puts the cell, this is HTML.
    static let sureHTML = Open(rawValue: 1024)
    /// SVG that is assumed by the cell's first element: a page may put the cell into HTML.
    static let assumed = Open(rawValue: 2048)
    /// `title` or `textarea` of such SVG, whose content would be text there.
    static let textOnly = Open(rawValue: 4096)
  }

  var parent = Parent.unknown
  var namespace = Namespace.html
  var open: Open = []

  /// Some elements would be moved out of here, or dropped: what is not known may not stand here.
  var isPicky: Bool {
    switch parent {
    case .table, .rows, .row, .columns, .select, .optgroup, .option: true
    case .unknown, .flow, .heading: false
    }
  }

  /// Text here would be moved out of a table.
  var movesText: Bool {
    switch parent {
    case .table, .rows, .row, .columns: namespace == .html
    default: false
    }
  }
}
