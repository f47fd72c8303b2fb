/// One step of a compiled template: bytes to copy, and what to do behind them. Programs are flat runs of
/// these, copied from an archive as they are.
///
/// What `a`, `b` and `c` mean depends on the code; see `OpCode`. 24 bytes, no padding.
package struct Op: BitwiseCopyable, Equatable, Sendable {
  /// Copied to the output before the step itself; may be empty.
  package var literal: LiteralRef
  package var code: UInt32
  package var a: UInt32
  package var b: UInt32
  package var c: UInt32

  package init(_ code: OpCode, a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, literal: LiteralRef = .empty) {
    self.literal = literal
    self.code = code.rawValue
    self.a = a
    self.b = b
    self.c = c
  }
}

/// What a step does. Jumps are indexes of the archive's one table of steps.
///
/// | code | a | b | c |
/// |---|---|---|---|
/// | `literal` | | | |
/// | `value` | path | `Escaper` | hint slot |
/// | `section` | path | the step behind its `sectionEnd` | hint slot |
/// | `sectionEnd` | its `section` | | |
/// | `inverted` | path | the step behind its content | hint slot |
/// | `call` | call | | hint slot, for a dynamic name |
/// | `parent` | call | the step behind its overrides | hint slot, for a dynamic name |
/// | `block` | block | the step behind its default content | |
/// | `bodyEnd` | | | |
/// | `lineStart` | 1: the line is blank | | |
/// | `outlet` | outlet | the step behind its `outletEnd` | hint slot |
/// | `bind` | bind | the step behind the attribute as designed | hint slot, for a value's own key |
/// | `outletContent` | outlet | the step behind the content as designed | hint slot, for a value's own text |
/// | `outletEnd` | its `outlet` | | |
/// | `end` | | | |
package enum OpCode: UInt32, Sendable {
  /// Ends a program: back to where it was called.
  case end = 0
  /// Nothing: it is there for its literal.
  case literal = 1
  /// Prints what a path finds, through an escaper that was chosen at load.
  case value = 2
  /// Runs the steps behind it for each item, once, or not at all.
  case section = 3
  case sectionEnd = 4
  /// Runs the steps behind it if what the path finds is falsy.
  case inverted = 5
  /// Runs another program.
  case call = 6
  /// Runs another program with blocks overridden; the overrides' bodies stand right behind it.
  case parent = 7
  /// Runs the outermost override of a block, or the default content behind it.
  case block = 8
  /// Ends an override's body: back to the block that it stands for.
  case bodyEnd = 9
  /// A line of a template that may be indented begins: prints the indentation in force, unless the line is
  /// blank.
  case lineStart = 10
  /// Runs the steps of an element as often as its outlet's value asks: not at all, once, once for each item.
  case outlet = 11
  /// Prints an attribute that the innermost outlet's value gives, or drops it, or runs the steps behind it,
  /// which print the attribute as designed.
  case bind = 12
  /// Prints what fills the element, or runs the steps behind it, its content as designed.
  case outletContent = 13
  case outletEnd = 14
}

/// How a value becomes output bytes. Chosen at load, for the place the value stands in.
package enum Escaper: UInt32, BitwiseCopyable, Sendable, CaseIterable {
  /// As it is; in text cells, for `{{{x}}}`.
  case none = 0
  /// As it is, but NUL as U+FFFD; in HTML cells that allow raw values, for `{{{x}}}`.
  case rawHTML = 1
  /// `& < > " '` as `&amp; &lt; &gt; &quot; &#39;`; in text cells.
  case text = 2
  /// The same, and NUL as U+FFFD: HTML element text.
  case html = 3
  /// As `html`, and CR as `&#13;`: a quoted attribute value.
  case attribute = 4
  /// At the start of a URL: a scheme that is not allowed makes the whole value `about:invalid#cell`; then
  /// percent-encoded but for unreserved, valid `%xx` and ``! # $ & * + , / : ; = ? @ [ ]``, then as
  /// `attribute`.
  case url = 5
  /// Behind a static start of a URL, before its `?` or `#`: percent-encoded as `url`, then as `attribute`.
  case urlPart = 6
  /// In the query or fragment of a URL: percent-encoded but for unreserved.
  case urlComponent = 7
  /// Behind a lone static `/`: as `urlPart`, and leading `/` and `\` are percent-encoded.
  case urlAfterSlash = 8
  /// A URL of the same origin, judged whole; else `about:invalid#cell`. Then as `urlPart`.
  case sameOriginURL = 9
  /// A URL of the same document, which begins with `#`; else `about:invalid#cell`.
  case fragmentURL = 10
  /// URLs with white space between them, each as `url`.
  case urlList = 11
  /// A whole `srcset`, or the URL a candidate of it begins with.
  case srcset = 12
  /// The descriptor of a candidate: letters, digits, spaces, dots; else nothing.
  case srcsetDescriptor = 13
  /// The value of a style declaration: `[A-Za-z0-9.#%+-]*`, else `invalid`.
  case style = 14
  /// Any value as JSON, with `< > &`, U+2028 and U+2029 as `\uXXXX`; what is missing is `null`.
  case json = 15
  /// Nothing: in a comment.
  case discard = 16
  /// As `urlAfterSlash`, where a static `/` follows: what is empty prints `.`, lest `//` make a host of the
  /// rest.
  case urlSegment = 17
  /// In the host of a URL: `[A-Za-z0-9-]+`, else `about:invalid#cell`, behind which no URL is valid.
  case urlHost = 18
  /// The URL that a candidate of a `srcset` begins with, where the value is not all of it: as `url`, and `,`
  /// is percent-encoded.
  case srcsetURL = 19
  /// Behind the start of a candidate's URL: as `urlPart`, and `,` is percent-encoded.
  case srcsetPart = 20
  /// The same as `urlAfterSlash`.
  case srcsetAfterSlash = 21
  /// The same as `urlSegment`.
  case srcsetSegment = 22
}
