/// An element that a value fills, repeats or removes. Made of 32-bit words, as all rows of an archive's
/// tables.
package struct OutletEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    /// By the rules of every element.
    case element = 0
    /// A checkbox, a radio button or an option: `null` and truth values say whether it is chosen, and it
    /// stays.
    case choice = 1
    /// A script that is data: any value is its content, as JSON; no context, no repetition.
    case data = 2
  }

  /// What it names: a path whose root is a name or the item.
  package var path: UInt32
  /// A `Form`.
  package var form: UInt32
  /// The `Escaper` of a value that becomes the content.
  package var escaper: UInt32
  /// An object's own key that is the content; none where the content holds outlets or Mustache tags, or can
  /// be no text.
  package var textName: UInt32
  /// 1: its content holds outlets; what such an outlet misses is told by them.
  package var holdsOutlets: UInt32
  /// 1: a line feed goes before a value that becomes the content, since parsers drop one there (`pre`,
  /// `textarea`).
  package var startsWithNewline: UInt32

  package init(
    path: UInt32, form: Form, escaper: Escaper, textName: UInt32, holdsOutlets: Bool, startsWithNewline: Bool
  ) {
    self.path = path
    self.form = form.rawValue
    self.escaper = escaper.rawValue
    self.textName = textName
    self.holdsOutlets = holdsOutlets ? 1 : 0
    self.startsWithNewline = startsWithNewline ? 1 : 0
  }
}
