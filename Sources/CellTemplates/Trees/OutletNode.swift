/// An element with an outlet.
struct OutletNode {
  let path: MustacheName
  /// It is named by `data-tag`.
  let isTag: Bool
  let element: String
  /// Where the element begins in the source.
  let at: Int
  var form = OutletEntry.Form.element
  /// How a value that becomes the content is escaped; `discard` where the element can hold no text.
  var escaper = Escaper.html
  /// A line feed goes before a value that becomes the content, since parsers drop one there.
  var startsWithNewline = false
  /// What a void element is designed to show.
  var placeholder: [UInt8]?
  /// The start tag, in it a `bind` for each attribute that the value may set.
  let startTag: [CellNode]
  /// nil: a void element, which has neither content nor an end tag.
  let content: [CellNode]?
  let endTag: [CellNode]
}

/// An attribute that the innermost outlet's value may set, with the attribute as designed.
struct BindNode {
  /// As it is printed.
  let attribute: String
  /// Where the element begins in the source.
  let at: Int
  /// The value's own key that sets it.
  let key: String?
  var form = BindEntry.Form.text
  let escaper: Escaper
  /// A value that is a string or number sets it.
  var takesScalar = false
  /// A value that is `null` or a truth value sets it.
  var takesChoice = false
  /// With the white space before it; empty where it is not written.
  let designed: [CellNode]
}
