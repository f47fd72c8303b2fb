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
  /// How a value that becomes the content is shown.
  var format: WrittenFormat?
  /// Its own `data-missing`.
  var missing: MissingPolicy?
  /// The designed value of a void element.
  var placeholder: [UInt8]?
  /// The attribute without which the element goes.
  var presence: BindNode?
  /// The start tag, with a `bind` for each attribute that the value may set.
  let startTag: [CellNode]
  /// nil for a void element, which has neither content nor an end tag.
  let content: [CellNode]?
  let endTag: [CellNode]
}

/// An attribute, or an item of one, that a value sets, with the drawn one.
struct BindNode {
  /// Its name, as it is printed.
  let attribute: String
  /// What precedes the value; by default, the attribute's opening.
  var opening: String?
  /// The start of the element in the source.
  let at: Int
  /// The name of the value; nil if only the outlet's value sets it.
  var path: MustacheName?
  var form = BindEntry.Form.text
  let escaper: Escaper
  /// How the value is shown.
  var format: WrittenFormat?
  /// Whether a string or number as the outlet's value sets it.
  var takesScalar = false
  /// Whether `null`, true or false as the outlet's value sets it.
  var takesChoice = false
  /// Whether the element has an outlet, in whose value the path starts.
  var isBeside = false
  /// Whether true and false are printed as words.
  var takesWords = false
  /// Whether the items of a list are joined by spaces.
  var joins = false
  var isDrawn = false
  /// Includes the white space before it; empty if the attribute is not drawn.
  var designed: [CellNode] = []
}
