/// The codes of diagnostics: stable names, each with a template that causes it and what mends it.
public enum DiagnosticCode: String, CaseIterable, Sendable {
  /// `{{title` — close the tag: `{{title}}`.
  case unclosedTag = "unclosed-tag"
  /// `{{}}` — write a name between the braces, or drop the tag.
  case emptyName = "empty-name"
  /// `{{first name}}`, `{{a..b}}` — a name has no white space, and no empty part between its dots.
  case invalidName = "invalid-name"
  /// `{{#items}}…` — add `{{/items}}`.
  case unclosedSection = "unclosed-section"
  /// `…{{/items}}` — remove it, or open `{{#items}}` before it.
  case unexpectedEnd = "unexpected-end"
  /// `{{#a}}…{{/b}}` — close what was opened last: `{{/a}}`.
  case mismatchedEnd = "mismatched-end"
  /// `{{=<% %>}}` — two delimiters between two equals signs: `{{=<% %>=}}`.
  case invalidDelimiters = "invalid-delimiters"
  /// `{{{html}}}` in an HTML cell — write `{{html}}`, or let the cell opt in by a first line `{{! raw: allow }}`.
  case rawNotAllowed = "raw-not-allowed"
  /// `{{>digest}}` in an HTML cell, where `digest` is a text cell — call an HTML cell.
  case textInHTML = "text-in-html"
  /// Two files that define one kind — rename one of them.
  case duplicateKind = "duplicate-kind"
  /// `my cell.mustache` — name files by letters, digits, `.`, `_` and `-`.
  case invalidKind = "invalid-kind"
  /// `<article data-cell>`, or `<template>` at the top of a nib — name the cell: `data-cell="news"`.
  case missingIdentifier = "missing-identifier"
  /// A `data-cell` inside of another — put it beside the other, and call it by `{{>kind}}`.
  case nestedCell = "nested-cell"
  /// `<article data-cell="news">` without its end tag — close it.
  case unclosedCell = "unclosed-cell"
  /// `data-raw="yes"`, `data-class` inside of a cell, `data-outlet` in a Mustache file — see the hint.
  case misplacedAttribute = "misplaced-attribute"
  /// A file that is not UTF-8 — save it as UTF-8.
  case invalidEncoding = "invalid-encoding"
  /// Sections nested deeper than 200 — move the inner ones into a partial.
  case nestedTooDeep = "nested-too-deep"
  /// A file or folder that cannot be read — mend its permissions or the link.
  case unreadable = "unreadable"
  /// A link that leads out of the templates folder — put the file inside the folder.
  case outsideFolder = "outside-folder"
  /// `KIND.sample.json` that is no array, or no JSON — write an array of rows.
  case invalidSample = "invalid-sample"
  /// `KIND.sample.json` whose row cannot be rendered — mend the row.
  case badSampleRow = "bad-sample-row"
  /// `{{>nothing}}` where no cell `nothing` exists — mend the name; it prints nothing.
  case unknownPartial = "unknown-partial"
  /// `KIND.sample.json` for a kind that does not exist — rename or remove it.
  case sampleWithoutKind = "sample-without-kind"

  var severity: Diagnostic.Severity {
    switch self {
    case .unknownPartial, .sampleWithoutKind: .warning
    default: .error
    }
  }
}
