import CellTemplates

/// An outlet whose element is being rendered.
struct OpenOutlet: BitwiseCopyable {
  enum Content: UInt8 {
    /// There is no value: the element is rendered as drawn, and the outlets inside have no values either.
    case missing
    /// The same, and content that holds no outlet is emptied.
    case blank
    /// The value is `null` or false, and the element stays without content.
    case empty
    /// `true`, or the state of a form control: the element is rendered as designed.
    case designed
    /// The content is a string or number.
    case scalar
    /// The context is an object.
    case object
    /// Any value, printed as JSON.
    case data
  }

  var content: Content
  /// Whether the outlets inside have no values.
  var isBlind: Bool { content == .missing || content == .blank }
  /// Whether an included cell has the value as its row.
  var isRow = false
  /// Whether a context was pushed.
  var pushes: Bool
  /// The value of the outlet; for a list, the current item.
  var value: RenderValue
  /// The number of items of a list, those of lists in it included, and the index of the next one.
  var count: UInt32 = 0
  var index: UInt32 = 0
  /// The number of elements, and of this one from 1, if the words of a list are printed between them; otherwise 0.
  var elementCount: UInt32 = 0
  var element: UInt32 = 0
  /// The next item of the list, or a nested list before it, and the node after the list; equal if there is no list or no
  /// item left.
  var next: UInt32 = 0
  var end: UInt32 = 0
  /// The outlet's path, if it is blind.
  var path: UInt32 = 0
  /// The object that the path was looked up in, if it is blind; `noIndex` if there is none.
  var object: UInt32 = noIndex
}
