/// How a value becomes output bytes. Chosen at load time for the context of the value: by `ValueContext` in attributes, by
/// `Walker` elsewhere.
///
/// To add one: add its case here, last, because archives have the numbers; let `ByteBuffer+Escaping` in `Cells` call what writes
/// it; and let a context choose it, for an attribute as `AttributeKind` says. `LongText`, which prints long values in parts, and
/// `Renderer+Output`, which prints the replacement for a missing value, have a default that may be wrong for a new escaper; those
/// of `TextEscapers` and `PlanRecorder` are only slower. `row_plan_loops.h` in `CRowPlan` has the numbers of the first.
package enum Escaper: UInt32, BitwiseCopyable, Sendable, CaseIterable {
  /// Unchanged; in text cells, for `{{{x}}}`.
  case none = 0
  /// Unchanged except NUL as U+FFFD; for `{{{x}}}` in HTML cells that allow raw values.
  case rawHTML = 1
  /// `& < > " '` as `&amp; &lt; &gt; &quot; &#39;`; in text cells.
  case text = 2
  /// The same, and NUL as U+FFFD: HTML element text.
  case html = 3
  /// Like `html`, and CR as `&#13;`: a quoted attribute value.
  case attribute = 4
  /// At the start of a URL. A scheme that is not allowed turns the whole value into `about:invalid#cell`.
  /// Otherwise everything except unreserved characters, valid `%xx` and ``! # $ & * + , / : ; = ? @ [ ]`` is
  /// percent-encoded; then as `attribute`.
  case url = 5
  /// After a static start of a URL, before its `?` or `#`: percent-encoded like `url`, then as `attribute`.
  case urlPart = 6
  /// In the query or fragment of a URL: everything except unreserved characters is percent-encoded.
  case urlComponent = 7
  /// After a lone static `/`: like `urlPart`, and leading `/` and `\` are percent-encoded.
  case urlAfterSlash = 8
  /// A whole same-origin URL; anything else becomes `about:invalid#cell`. Then like `urlPart`.
  case sameOriginURL = 9
  /// A URL within the document, starting with `#`; anything else becomes `about:invalid#cell`.
  case fragmentURL = 10
  /// URLs separated by white space, each like `url`.
  case urlList = 11
  /// A whole `srcset`, or the URL at the start of a candidate.
  case srcset = 12
  /// The descriptor of a candidate: letters, digits, spaces, dots; anything else becomes empty.
  case srcsetDescriptor = 13
  /// The value of a style declaration: `[A-Za-z0-9.#%+-]*`; anything else becomes `invalid`.
  case style = 14
  /// Any value as JSON, with `< > &`, U+2028 and U+2029 as `\uXXXX`; a missing value is `null`.
  case json = 15
  /// Nothing; used in comments.
  case discard = 16
  /// Like `urlAfterSlash`, before a static `/`. An empty value becomes `.`, because `//` would make the rest
  /// a host.
  case urlSegment = 17
  /// In the host of a URL: `[A-Za-z0-9-]+`; anything else becomes `about:invalid#cell`, which makes the URL
  /// invalid.
  case urlHost = 18
  /// The URL at the start of a `srcset` candidate, if the value is only its beginning: like `url`, and `,` is
  /// percent-encoded.
  case srcsetURL = 19
  /// After the start of a candidate's URL: like `urlPart`, and `,` is percent-encoded.
  case srcsetPart = 20
  /// Like `urlAfterSlash`, and `,` is percent-encoded.
  case srcsetAfterSlash = 21
  /// Like `urlSegment`, and `,` is percent-encoded.
  case srcsetSegment = 22
  /// In the path of a URL that loads a part of the page: like `urlComponent`, and `.` and `..`, which would choose another
  /// path, become U+FFFD.
  case urlPathComponent = 23
  /// A part of a name in a selector: `[A-Za-z0-9_-]*` and what is not ASCII; anything else becomes `invalid`.
  case selectorName = 24
}

extension Escaper {
  /// The places of a page that values are escaped for, as in the description of a kind.
  package enum Context: String, Sendable {
    case text, raw, attribute, url, srcset, style, json, comment

    /// Whether values are in attributes.
    var isOfAttributes: Bool {
      switch self {
      case .attribute, .url, .srcset, .style: true
      case .text, .raw, .json, .comment: false
      }
    }
  }

  package var context: Context {
    switch self {
    case .none, .text, .html: .text
    case .rawHTML: .raw
    case .attribute, .selectorName: .attribute
    case .url, .urlPart, .urlComponent, .urlPathComponent, .urlAfterSlash, .urlSegment, .sameOriginURL,
      .fragmentURL,
      .urlList, .urlHost:
      .url
    case .srcset, .srcsetDescriptor, .srcsetURL, .srcsetPart, .srcsetAfterSlash, .srcsetSegment: .srcset
    case .style: .style
    case .json: .json
    case .discard: .comment
    }
  }

  /// How many times as long as others it takes for a byte, at worst: a list may consist of URLs of one character, and each is
  /// judged.
  package var workPerByte: Int { self == .urlList ? 8 : 1 }

  /// Whether it judges the whole value and refuses long ones, so that a long value is never printed in parts.
  package var refusesLongValues: Bool {
    switch self {
    case .srcset, .srcsetDescriptor, .urlHost, .style, .selectorName: true
    case .none, .rawHTML, .text, .html, .attribute, .json, .discard, .urlList: false
    case .url, .urlPart, .urlComponent, .urlPathComponent, .urlAfterSlash, .urlSegment: false
    case .sameOriginURL, .fragmentURL: false
    case .srcsetURL, .srcsetPart, .srcsetAfterSlash, .srcsetSegment: false
    }
  }
}
