/// The codes of diagnostics: stable names, each with a template that causes it and the fix.
public enum DiagnosticCode: String, CaseIterable, Sendable {
  /// `{{title` — close the tag: `{{title}}`.
  case unclosedTag = "unclosed-tag"
  /// `{{}}` — write a name between the braces, or remove the tag.
  case emptyName = "empty-name"
  /// `{{first name}}`, `{{a..b}}` — names have no white space and no empty parts between dots; no names have
  /// control characters, and most have at most 1024 bytes.
  case invalidName = "invalid-name"
  /// `{{#if x}}`, `{{else}}`, `{{#x == "y"}}` — write sections: `{{#x}}…{{/x}}{{^x}}…{{/x}}`.
  case foreignTag = "foreign-tag"
  /// `{% if x %}`, `${x}`, which print as they are; `data-when="a and b"`, whose words are names — write `{{#x}}`,
  /// `{{x}}`, `data-when="a b"`.
  case foreignText = "foreign-text"
  /// `{{#items}}…` — add `{{/items}}`.
  case unclosedSection = "unclosed-section"
  /// `…{{/items}}` — remove it, or open `{{#items}}` before it.
  case unexpectedEnd = "unexpected-end"
  /// `disabled="{{#x}}disabled{{/x}}"` — write one name and nothing else: `disabled="{{x}}"`.
  case mixedBoolean = "mixed-boolean"
  /// `{{#a}}…{{/b}}` — close the section that was opened last: `{{/a}}`.
  case mismatchedEnd = "mismatched-end"
  /// `{{=<% %>}}` — write two delimiters between two equals signs: `{{=<% %>=}}`.
  case invalidDelimiters = "invalid-delimiters"
  /// `{{{html}}}` in an HTML cell — write `{{html}}`, or allow raw values with the first line `{{! raw: allow
  /// }}`.
  case rawNotAllowed = "raw-not-allowed"
  /// `{{>digest}}` in an HTML cell, where `digest` is a text cell — call an HTML cell.
  case textInHTML = "text-in-html"
  /// Two files that define the same kind — rename one of them.
  case duplicateKind = "duplicate-kind"
  /// `my cell.mustache` — use letters, digits, `.`, `_` and `-` in file names.
  case invalidKind = "invalid-kind"
  /// `<article data-cell>`, or `<template>` at the top level of a nib — name the cell: `data-cell="news"`.
  case missingIdentifier = "missing-identifier"
  /// A `data-cell` inside another — move it out, and draw a stand-in in its place: `data-include="kind"`.
  case nestedCell = "nested-cell"
  /// `<article data-cell="news">` without its end tag — close it.
  case unclosedCell = "unclosed-cell"
  /// `data-outlet="a..b"`, `data-tag="0"` — use names with single dots between the parts, and numbers from 1.
  case invalidOutlet = "invalid-outlet"
  /// `<br data-outlet="x">`, `<select data-outlet="x">` — put it on an element that a value can fill.
  case outletElement = "outlet-element"
  /// `<img data-embed src="missing.svg">` — put an image of at most 64 KiB next to the nib.
  case invalidImage = "invalid-image"
  /// `<link rel="stylesheet" href="feed.css">`, `url(star.svg)`, if there is no such file — put it there.
  case missingAsset = "missing-asset"
  /// Nibs that link to more than `--asset-limit-bytes` of style sheets, images and fonts — make the files smaller, or
  /// raise the limit.
  case assetLimit = "asset-limit"
  /// `data-raw="yes"`, `<b data-class="B">` inside a cell — write `data-raw="allow"`; put classes on the cell
  /// itself.
  case misplacedAttribute = "misplaced-attribute"
  /// `<p data-outlet="x">` in a nib, but in no cell — put it into one, or mark it: `data-design`.
  case sceneryAttribute = "scenery-attribute"
  /// `data-outlets="title"` in a nib — write `data-outlet="title"`.
  case nearAttribute = "near-attribute"
  /// `data-bind="href:"`, `data-bind="title:first last"` — write entries as `href:url; title:'{first} {last}'`.
  case invalidBinding = "invalid-binding"
  /// `data-when="stock=="` — write conditions as `NAME`, `!NAME`, `NAME=word`, `NAME!=word` or `NAME<5`.
  case invalidCondition = "invalid-condition"
  /// `<li data-outlet="items" data-when="!@last">` — put the condition on an element inside the outlet.
  case outerLoopName = "outer-loop-name"
  /// `data-missing="skip"` — write `drop`, `keep`, `blank` or `error`.
  case invalidMissing = "invalid-missing"
  /// A `custom-elements.json` that is no Custom Elements Manifest, or declares what may hold no values — mend it.
  case invalidManifest = "invalid-manifest"
  /// `{{x | curency EUR}}`, where there is no such format — write `currency EUR`, or give the format a name in
  /// `formats.json`.
  case unknownFormat = "unknown-format"
  /// `{{x | date lang}}`, `{{{x | number}}}`, `data-format` without `data-outlet` — write what the format takes:
  /// `date long`.
  case invalidFormat = "invalid-format"
  /// `<a href="/{{n | number}}">` — write it where people read it: element text, or `title`.
  case formatInMachinePlace = "format-in-machine-place"
  /// `<p data-plural="count"><b data-case="one">…</b></p>` — add a case for all other numbers:
  /// `<b data-case="other">…</b>`.
  case pluralLacksOther = "plural-lacks-other"
  /// `<b data-case="one">` that is no child of an element with `data-plural` — put it into one.
  case misplacedCase = "misplaced-case"
  /// `{"day@jp": "date full"}` in `formats.json` — write a tag of CLDR: `day@ja`.
  case unknownLocale = "unknown-locale"
  /// A file that is not UTF-8 — save it as UTF-8.
  case invalidEncoding = "invalid-encoding"
  /// Sections and outlets nested deeper than 200 — move the inner ones into a partial.
  case nestedTooDeep = "nested-too-deep"
  /// A folder that takes longer than `--load-seconds` to load, or more memory than loading may use — write
  /// smaller or simpler templates and samples.
  case loadLimit = "load-limit"
  /// A file or folder that cannot be read — fix its permissions or the link.
  case unreadable = "unreadable"
  /// A folder without a cell — name the folder that has the templates, or write `NAME.mustache` or a nib.
  case noCell = "no-cell"
  /// `card.hbs` — rename it to `card.mustache`, or to `card.html` if it is a nib.
  case unreadTemplate = "unread-template"
  /// A link that leaves the templates folder — put the file inside the folder.
  case outsideFolder = "outside-folder"
  /// `KIND.sample.json` that is not an array or not JSON — write an array of rows.
  case invalidSample = "invalid-sample"
  /// `KIND.sample.json` with a row that cannot be rendered — fix the row.
  case badSampleRow = "bad-sample-row"
  /// `{{>nothing}}` if there is no cell `nothing` — fix the name; the tag prints nothing.
  case unknownPartial = "unknown-partial"
  /// `{{<card}}{{$titel}}x{{/titel}}{{/card}}` if `card` has no such block — fix the name; the override
  /// prints nothing.
  case unknownBlock = "unknown-block"
  /// `<!-- {{x}} -->`, `{{^a}}{{a.b}}{{/a}}` — move it to where it can print something, or remove it.
  case unfillableHole = "unfillable-hole"
  /// `{{locale}}`, `{{time_zone}}`, `{{now}}`, which are controls of queries, too — give the name another spelling.
  case reservedField = "reserved-field"
  /// `{{x}}` in a text cell if a sample row has `AT&T`: it prints `AT&amp;T` — write `{{{x}}}`.
  case escapedText = "escaped-text"
  /// `[{"author": "Ada"}]` for `{{author.name}}` — send what `GET /schemas/KIND` describes: `{"author":
  /// {"name": "Ada"}}`.
  case sampleMismatch = "sample-mismatch"
  /// `[{"title": "Hi"}]` for `{{title}} {{text}}` — give at least one sample row each name: `[{"title": "Hi",
  /// "text": "…"}]`.
  case sampleLacksName = "sample-lacks-name"
  /// `[{"price": "n/a"}]` for `{{price | currency EUR}}` — write a number.
  case sampleMisfit = "sample-misfit"
  /// `[{"titel": "Hi"}]` for `{{title}}` — fix the name, or remove it.
  case unusedSampleName = "unused-sample-name"
  /// `KIND.sample.json` for a kind that does not exist — rename or remove it.
  case sampleWithoutKind = "sample-without-kind"

  // MARK: The HTML of cells

  /// `<p>{{x}}`, `<b><i>x</b></i>` — close every element, the innermost first: `<p>{{x}}</p>`.
  case unclosedElement = "unclosed-element"
  /// `<b>x</b></i>` — remove it, or open its element before it; a lone `</p>` closes nothing.
  case unexpectedEndTag = "unexpected-end-tag"
  /// `<div/>` — HTML has no self-closing tags: write `<div></div>`.
  case selfClosingElement = "self-closing-element"
  /// `<p><div></div></p>`, `<table><p></p></table>` — move it to where browsers keep it.
  case misplacedElement = "misplaced-element"
  /// `<table>{{x}}</table>` — put text into a cell: `<tr><td>{{x}}</td></tr>`.
  case misplacedText = "misplaced-text"
  /// `<body>`, `<!DOCTYPE html>` — a cell is part of a page: remove it.
  case pageElement = "page-element"
  /// `{{#a}}</b>{{/a}}` in a `<b>`, `title="{{#a}}x"{{/a}}` — start and end a section at the same place of
  /// one element.
  case crossingSection = "crossing-section"
  /// `<{{x}}`, `</{{x}}`, `<!{{x}}` — write `&lt;`, or write the whole tag as static text.
  case joinedMarkup = "joined-markup"
  /// `<div {{x}}>`, `<h{{level}}>` — names must be static; write a section for each.
  case dynamicName = "dynamic-name"
  /// `<a href={{x}}>` — quote the value: `<a href="{{x}}">`.
  case unquotedValue = "unquoted-value"
  /// `<a id="x" id="{{y}}">` — write each attribute once.
  case duplicateAttribute = "duplicate-attribute"
  /// `&{{x}}`, `?a=1&{{x}}` — write `&amp;`.
  case unfinishedReference = "unfinished-reference"
  /// `<div onclick="{{x}}">` — write it as static text, or use another attribute.
  case refusedAttribute = "refused-attribute"
  /// `<a {{#x}}target="_blank"{{/x}}>` — put the whole element in the section.
  case conditionalAttribute = "conditional-attribute"
  /// `href="java{{x}}"`, `href="{{x}}:y"` — start the URL with static text that determines the scheme, or
  /// with the value.
  case unsafeURLStart = "unsafe-url-start"
  /// `href="{{a}}{{b}}"` — put a static `/`, `?` or `#` between them.
  case ambiguousURL = "ambiguous-url"
  /// `style="{{x}}: 1px"`, `style="background: image-set({{x}} 1x)"` — use it as the value of a declaration, and
  /// `url()` for what is loaded: `width: {{x}}px`, `image-set(url({{x}}) 1x)`.
  case unsafeStyle = "unsafe-style"
  /// `<script type="application/json">{"a": "{{x}}"}</script>` — remove the quotes.
  case invalidJSONBlock = "invalid-json-block"
  /// `<script>var x = {{x}}</script>`, `<style>{{x}}</style>` — use a JSON block, or an attribute.
  case refusedPlace = "refused-place"
  /// `<a title="{{{x}}}">`, `<title>{{{x}}}</title>` — write `{{x}}`.
  case rawOutsideText = "raw-outside-text"
  /// `<a title="{{>*x}}">` — call a partial with a static name.
  case dynamicPartialOutsideText = "dynamic-partial-outside-text"
  /// `<a =x>`, `<a href=>`, a NUL byte — write plain HTML.
  case invalidMarkup = "invalid-markup"
  /// `<b` at the end of a cell — finish the tag or the comment.
  case unfinishedCell = "unfinished-cell"
  /// `<b data-outlet="x">` in a Mustache file — write `{{x}}`, or make it a nib: an `.html` file.
  case outletInMustache = "outlet-in-mustache"
  /// A partial that ends in a different place of the markup than it starts in — make it start and end in the
  /// same place.
  case crossingPartial = "crossing-partial"

  var severity: Diagnostic.Severity {
    switch self {
    case .outerLoopName, .unknownPartial, .unknownBlock, .sampleWithoutKind, .unfillableHole, .escapedText,
      .sampleLacksName, .unusedSampleName, .unreadTemplate, .foreignText, .nearAttribute, .missingAsset,
      .sampleMisfit, .reservedField, .sceneryAttribute:
      .warning
    default: .error
    }
  }
}
