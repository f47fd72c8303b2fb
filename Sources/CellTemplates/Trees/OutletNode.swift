/// An element with an outlet.
struct OutletNode {
  let path: MustacheName
  /// Whether it is named by `data-tag`.
  let isTagged: Bool
  let element: String
  /// The start of the element in the source.
  let at: Int
  var form = OutletEntry.Form.element
  /// The escaper of a value that becomes the content; `discard` if the element cannot contain text.
  var escaper = Escaper.html
  /// Whether a newline is written before a value that becomes the content, because parsers drop the first one
  /// there.
  var startsWithNewline = false
  /// What the element does for `null` and false.
  var absence = OutletEntry.Absence.leavesOut
  /// Its own `data-missing`.
  var missing: MissingPolicy?
  /// The designed value of a void element.
  var placeholder: [UInt8]?
  /// The start tag, with a `bind` for each attribute that the value may set.
  let startTag: [CellNode]
  /// nil for a void element, which has neither content nor an end tag.
  let content: [CellNode]?
  let endTag: [CellNode]
}

/// An attribute that the innermost outlet's value may set, with the designed attribute.
struct BindNode {
  /// As it is printed.
  let attribute: String
  /// The start of the element in the source.
  let at: Int
  /// The key of the outlet's value that sets it.
  let key: String?
  var form = BindEntry.Form.text
  let escaper: Escaper
  /// Whether a string or number as the value sets it.
  var takesScalar = false
  /// Whether `null`, true or false as the value sets it.
  var takesChoice = false
  /// Includes the white space before it; empty if the attribute is not written.
  let designed: [CellNode]
}
