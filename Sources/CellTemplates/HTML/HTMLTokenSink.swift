/// What a tokenizer tells of the text it is fed. Ranges and offsets are bytes of the source.
protocol HTMLTokenSink {
  /// Element text, character references not decoded; also the content of raw-text and RCDATA elements. In
  /// `data`, a `<` that begins no markup is told alone; so is one of an earlier run, in RCDATA or raw text, that
  /// began no end tag.
  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content)
  /// A tag's name is complete; the tag's `<` is at `at`.
  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int)
  /// An attribute's name is complete, lower case.
  mutating func attributeName(_ name: [UInt8], at: Int)
  /// A run of the attribute's value, character references not decoded.
  mutating func attributeValue(_ range: Range<Int>, isQuoted: Bool)
  /// The attribute ends before `at`.
  mutating func attributeEnd(at: Int)
  /// The tag ends before `at`, behind its `>`. The sink tells how the element's content is read.
  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent
  /// Nothing of this reaches a page: comments in all their forms, from their `<` on.
  mutating func comment(startingAt start: Int, endingAt end: Int)
  /// What a browser would take for something else than its author meant.
  mutating func fault(_ fault: HTMLFault, at: Int)
}

/// Markup that no template should hold, though a browser makes something of it.
enum HTMLFault {
  /// `<a =x>`
  case equalsBeforeName
  /// `<a b"c>`
  case quoteInName
  /// `<a href=>`
  case missingValue
  /// A name character right behind a name that a branch ended: `{{#on}}checked{{/on}}x`.
  case joinedName
  /// `<!DOCTYPE html>`
  case doctype
  /// `<![CDATA[` outside of SVG and MathML.
  case cdataInHTML
  /// `<![CDATA[` in SVG or MathML: its text may hold any `<`.
  case cdata
  /// `<b<i>`
  case lessInName
  /// A slash in a tag at the start or the end of a branch: a `>` behind it would close the element, or not.
  case slashBeforeBranch
  /// A NUL byte.
  case nul
  /// `<!--` in a script: a later `<script` would hide the end tag.
  case commentInScript
}
