import CellTemplates

/// An outlet whose element is being rendered.
struct OutletFrame: BitwiseCopyable {
  enum Content: UInt8 {
    /// Nothing was found: as designed, and the outlets inside see nothing.
    case missing
    /// `true`, or whether a form control is chosen: as designed.
    case designed
    /// A string or number is the content.
    case scalar
    /// An object is the context.
    case object
    /// Any value, as JSON.
    case data
  }

  var content: Content
  /// A context was pushed.
  var pushes: Bool
  /// What the outlet found: of a list the item.
  var value: RenderValue
  /// The item's place in the list, lists in it counted through.
  var index: UInt32 = 0
  /// The next item of the list and the node behind the list; equal where there is no list, or no item left.
  var next: UInt32 = 0
  var end: UInt32 = 0
}
