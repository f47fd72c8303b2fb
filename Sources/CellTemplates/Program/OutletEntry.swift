/// An element that a value fills, repeats or removes. Consists of 32-bit words, like all archive table rows.
package struct OutletEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    /// The rules common to all elements.
    case element = 0
    /// A checkbox, radio button or option: `null`, true and false decide whether it is selected, and it is
    /// never removed.
    case choice = 1
    /// A script with data: any value becomes its content as JSON. No context, no repetition.
    case data = 2
  }

  /// Its name: a path whose root is a name or the item.
  package var path: UInt32
  /// A `Form`.
  package var form: UInt32
  /// The `Escaper` of a value that becomes the content.
  package var escaper: UInt32
  /// The key of an object that becomes the content; `noIndex` if the content contains outlets or Mustache
  /// tags, or cannot be text.
  package var textName: UInt32
  /// 1 if its content contains outlets; these then report what is missing.
  package var holdsOutlets: UInt32
  /// 1 if a newline is written before a value that becomes the content, because parsers drop the first
  /// newline there (`pre`, `textarea`).
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
