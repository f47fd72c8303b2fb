/// An element that a value fills, repeats or removes. Consists of 32-bit words, like all entries of archives.
package struct OutletEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    /// The rules common to all elements.
    case element = 0
    /// A checkbox, radio button or option: `null`, true and false decide whether it is selected, and it is
    /// never removed.
    case choice = 1
    /// A script with data: any value becomes its content as JSON. No context, no repetition.
    case data = 2
    /// Another cell, whose row is the value, in place of a drawn stand-in. If there is none, nothing is printed.
    case include = 3
  }

  /// What the element does where its value is `null` or false.
  package enum Absence: UInt32, Sendable {
    /// It is left out.
    case leavesOut = 0
    /// It stays without content, or without its value: a cell of a table, a form control.
    case empties = 1
    /// A form control that stays unchosen, but is left out if the name is missing: an `option`.
    case unchosen = 2
  }

  /// What the content of an element holds.
  package enum Held: UInt32, Sendable {
    /// No outlets; it may hold Mustache tags.
    case nothing = 0
    /// Outlets, which report what is missing.
    case outlets = 1
    /// It has no content.
    case noContent = 2
    /// Conditions, but no outlets.
    case conditions = 3
    /// The same as `nothing`, and the element's attributes read names. So the value may be an object for these, and what is
    /// drawn is a label: it stays if the object has no `text`.
    case label = 4

    /// Whether what is drawn is text to be filled, and nothing else.
    package var isText: Bool { self == .nothing || self == .label }
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
  /// A `Held`.
  package var held: UInt32
  /// 1 if a newline is written before a value that becomes the content, because parsers drop the first
  /// newline there (`pre`, `textarea`).
  package var startsWithNewline: UInt32
  /// An `Absence`.
  package var absence: UInt32
  /// A `MissingPolicy.Own`.
  package var missing: UInt32
  /// How a value that becomes the content is shown; `noIndex` if as it is.
  package var format: UInt32

  /// Takes each word of the entry, by name.
  package init(
    path: UInt32, form: Form, escaper: Escaper, textName: UInt32 = noIndex, held: Held = .nothing,
    startsWithNewline: Bool = false, absence: Absence = .leavesOut, missing: MissingPolicy.Own = .none,
    format: UInt32 = noIndex
  ) {
    self.path = path
    self.form = form.rawValue
    self.escaper = escaper.rawValue
    self.textName = textName
    self.held = held.rawValue
    self.startsWithNewline = startsWithNewline ? 1 : 0
    self.absence = absence.rawValue
    self.missing = missing.rawValue
    self.format = format
  }
}
