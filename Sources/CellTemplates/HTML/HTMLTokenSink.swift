/// Receives what a tokenizer finds. Ranges and offsets are bytes of the source.
protocol HTMLTokenSink {
  /// Whether nothing more is wanted: the tokenizer may stop anywhere.
  var isDone: Bool { get }
  /// Element text, including the content of raw-text and RCDATA elements, with character references not
  /// decoded. In `data`, a `<` that starts no markup is reported separately. So is the `<` of an earlier run,
  /// in RCDATA or raw text, that started no end tag.
  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content)
  /// A tag's name is complete; the tag's `<` is at `at`.
  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int)
  /// An attribute's name, in lowercase, is complete.
  mutating func attributeName(_ name: [UInt8], at: Int)
  /// Part of the attribute's value, with character references not decoded, and the quote around the value, if any.
  mutating func attributeValue(_ range: Range<Int>, quote: UInt8?)
  /// The attribute ends before `at`.
  mutating func attributeEnd(at: Int)
  /// The tag ends before `at`, after its `>`. Returns how the element's content is parsed.
  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent
  /// A comment of any form, from its `<` on. None of it reaches the page.
  mutating func comment(startingAt start: Int, endingAt end: Int)
  /// A browser would understand this differently than the author probably meant.
  mutating func fault(_ fault: HTMLFault, at: Int)
}

extension HTMLTokenSink {
  var isDone: Bool { false }
}

/// Markup that templates should not contain although browsers accept it.
enum HTMLFault {
  /// `<a =x>`
  case equalsBeforeName
  /// `<a b"c>`
  case quoteInName
  /// `<a href=>`
  case missingValue
  /// A name character right after a name that ended with a branch: `{{#on}}checked{{/on}}x`.
  case joinedName
  /// `<!DOCTYPE html>`
  case doctype
  /// `<![CDATA[` outside of SVG and MathML.
  case cdataInHTML
  /// `<![CDATA[` in SVG or MathML: its text may contain any `<`.
  case cdata
  /// `<b<i>`
  case lessInName
  /// A slash in a tag at the start or end of a branch: whether a following `>` closes the element would
  /// depend on the branch.
  case slashBeforeBranch
  /// A NUL byte.
  case nul
  /// `<!--` in a script: a later `<script` would hide the end tag.
  case commentInScript
}
