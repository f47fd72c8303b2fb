/// The codes of diagnostics: stable names, each with a template that causes it and what mends it.
public enum DiagnosticCode: String, CaseIterable, Sendable {
  /// `{{title` — close the tag: `{{title}}`.
  case unclosedTag = "unclosed-tag"
  /// `{{}}` — write a name between the braces, or drop the tag.
  case emptyName = "empty-name"
  /// `{{first name}}`, `{{a..b}}` — a name has no white space, and no empty part between its dots; names of any sort
  /// have no control characters, and at most 1024 bytes.
  case invalidName = "invalid-name"
  /// `{{#items}}…` — add `{{/items}}`.
  case unclosedSection = "unclosed-section"
  /// `…{{/items}}` — remove it, or open `{{#items}}` before it.
  case unexpectedEnd = "unexpected-end"
  /// `{{#a}}…{{/b}}` — close what was opened last: `{{/a}}`.
  case mismatchedEnd = "mismatched-end"
  /// `{{=<% %>}}` — two delimiters between two equals signs: `{{=<% %>=}}`.
  case invalidDelimiters = "invalid-delimiters"
  /// `{{{html}}}` in an HTML cell — write `{{html}}`, or let the cell opt in by a first line
  /// `{{! raw: allow }}`.
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
  /// `data-outlet="a..b"`, `data-tag="0"` — names with single dots between them; numbers from 1.
  case invalidOutlet = "invalid-outlet"
  /// `<br data-outlet="x">`, `<select data-outlet="x">` — put it on an element that a value can fill.
  case outletElement = "outlet-element"
  /// `<img data-embed src="missing.svg">` — put an image of at most 64 KiB beside the nib.
  case invalidImage = "invalid-image"
  /// `data-raw="yes"`, `<b data-class="B">` inside of a cell — write `data-raw="allow"`; name classes on the
  /// cell itself.
  case misplacedAttribute = "misplaced-attribute"
  /// A file that is not UTF-8 — save it as UTF-8.
  case invalidEncoding = "invalid-encoding"
  /// Sections and outlets nested deeper than 200 — move the inner ones into a partial.
  case nestedTooDeep = "nested-too-deep"
  /// A folder that takes longer than `--load-seconds` to load, or more memory than loading may take — write smaller or
  /// simpler templates and samples.
  case loadLimit = "load-limit"
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
  /// `{{<card}}{{$titel}}x{{/titel}}{{/card}}` where `card` has no such block — mend the name; it prints
  /// nothing.
  case unknownBlock = "unknown-block"
  /// `<!-- {{x}} -->`, `{{^a}}{{a.b}}{{/a}}` — move it to where it can print something, or remove it.
  case unfillableHole = "unfillable-hole"
  /// `{{x}}` in a text cell, where a sample row has `AT&T`: it prints `AT&amp;T` — write `{{{x}}}`.
  case escapedText = "escaped-text"
  /// `[{"author": "Ada"}]` for `{{author.name}}` — send what `GET /schemas/KIND` tells:
  /// `{"author": {"name": "Ada"}}`.
  case sampleMismatch = "sample-mismatch"
  /// `[{"title": "Hi"}]` for `{{title}} {{text}}` — give a row of the sample each name:
  /// `[{"title": "Hi", "text": "…"}]`.
  case sampleLacksName = "sample-lacks-name"
  /// `[{"titel": "Hi"}]` for `{{title}}` — mend the name, or remove it.
  case unusedSampleName = "unused-sample-name"
  /// `KIND.sample.json` for a kind that does not exist — rename or remove it.
  case sampleWithoutKind = "sample-without-kind"

  // MARK: The HTML of cells

  /// `<p>{{x}}` — close what you open: `<p>{{x}}</p>`.
  case unclosedElement = "unclosed-element"
  /// `<b><i>x</b></i>` — close the innermost element first; `</p>` alone closes nothing.
  case unexpectedEndTag = "unexpected-end-tag"
  /// `<div/>` — HTML has no such tag: write `<div></div>`.
  case selfClosingElement = "self-closing-element"
  /// `<p><div></div></p>`, `<table><p></p></table>` — put it where a browser leaves it.
  case misplacedElement = "misplaced-element"
  /// `<table>{{x}}</table>` — put text into a cell: `<tr><td>{{x}}</td></tr>`.
  case misplacedText = "misplaced-text"
  /// `<body>`, `<!DOCTYPE html>` — a cell is a part of a page: remove it.
  case pageElement = "page-element"
  /// `{{#a}}</b>{{/a}}` in a `<b>`, `title="{{#a}}x"{{/a}}` — begin and end a section at the same place of
  /// one element.
  case crossingSection = "crossing-section"
  /// `<{{x}}`, `</{{x}}`, `<!{{x}}` — write `&lt;`, or the whole tag as static text.
  case joinedMarkup = "joined-markup"
  /// `<div {{x}}>`, `<h{{level}}>` — names are static; write one section for each.
  case dynamicName = "dynamic-name"
  /// `<a href={{x}}>` — quote the value: `<a href="{{x}}">`.
  case unquotedValue = "unquoted-value"
  /// `<a id="x" id="{{y}}">` — write each attribute once.
  case duplicateAttribute = "duplicate-attribute"
  /// `&{{x}}`, `?a=1&{{x}}` — write `&amp;`.
  case unfinishedReference = "unfinished-reference"
  /// `<div onclick="{{x}}">` — write it as static text, or use another attribute.
  case refusedAttribute = "refused-attribute"
  /// `<a {{#x}}target="_blank"{{/x}}>` — let the section hold the whole element.
  case conditionalAttribute = "conditional-attribute"
  /// `href="java{{x}}"`, `href="{{x}}:y"` — begin the URL with static text that decides it, or with the
  /// value.
  case unsafeURLStart = "unsafe-url-start"
  /// `href="{{a}}{{b}}"` — put a static `/`, `?` or `#` between them.
  case ambiguousURL = "ambiguous-url"
  /// `style="{{x}}: 1px"`, `style="background: url({{x}})"` — let it be a declaration's value:
  /// `width: {{x}}px`.
  case unsafeStyle = "unsafe-style"
  /// `<script type="application/json">{"a": "{{x}}"}</script>` — drop the quotes.
  case invalidJSONBlock = "invalid-json-block"
  /// `<script>var x = {{x}}</script>`, `<style>{{x}}</style>` — use a JSON block, or an attribute.
  case refusedPlace = "refused-place"
  /// `<a title="{{{x}}}">`, `<title>{{{x}}}</title>` — write `{{x}}`.
  case rawOutsideText = "raw-outside-text"
  /// `<a title="{{>*x}}">` — call a partial of a static name.
  case dynamicPartialOutsideText = "dynamic-partial-outside-text"
  /// `<a =x>`, `<a href=>`, a NUL byte — write plain HTML.
  case invalidMarkup = "invalid-markup"
  /// `<b` at the end of a cell — finish the tag or the comment.
  case unfinishedCell = "unfinished-cell"
  /// `<b data-outlet="x">` in a Mustache file — write `{{x}}`, or make it a nib: an `.html` file.
  case outletInMustache = "outlet-in-mustache"
  /// A partial that ends in another place of the markup than it begins — let it begin and end at the same.
  case crossingPartial = "crossing-partial"

  var severity: Diagnostic.Severity {
    switch self {
    case .unknownPartial, .unknownBlock, .sampleWithoutKind, .unfillableHole, .escapedText, .sampleLacksName,
      .unusedSampleName:
      .warning
    default: .error
    }
  }
}
