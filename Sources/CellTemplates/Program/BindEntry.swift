/// An attribute, or an item of one, that a value sets. Consists of 32-bit words, like all entries of archives.
package struct BindEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    /// A whole attribute.
    case text = 0
    /// A boolean attribute that the outlet's value decides: printed without a value.
    case choice = 1
    /// An item of an attribute that is a list: what precedes it is printed before.
    case item = 2
    /// The count of a plural, without which its element is not there.
    case count = 3
    /// A value in an item's text: what is around it is there if it prints something.
    case piece = 4
  }

  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A string or number as the outlet's value sets it (`src`, `value`).
    package static let takesScalar = Marks(rawValue: 1)
    /// `null`, true or false as the outlet's value sets it (`checked`, `selected`).
    package static let takesChoice = Marks(rawValue: 2)
    /// The element has an outlet: the path starts in its value.
    package static let isBeside = Marks(rawValue: 4)
    /// True and false are printed as words.
    package static let takesWords = Marks(rawValue: 8)
    /// The items of a list are joined by spaces.
    package static let joins = Marks(rawValue: 16)
    /// The designer has drawn it.
    package static let isDrawn = Marks(rawValue: 32)
    static let all = Marks(rawValue: 63)
  }

  /// What precedes the value: ` href="`; of a `choice`, all of it: ` checked`.
  package var opening: LiteralRef
  /// The path of the value; `noIndex` if only the outlet's value sets it.
  package var path: UInt32
  /// A `Form`.
  package var form: UInt32
  /// The `Escaper` of its value.
  package var escaper: UInt32
  /// `Marks`
  package var marks: UInt32
  /// A `MissingPolicy.Own`.
  package var missing: UInt32
  /// How its value is shown; `noIndex` if as it is.
  package var format: UInt32

  /// Takes each word of the entry, by name.
  package init(
    opening: LiteralRef, path: UInt32 = noIndex, form: Form, escaper: Escaper, marks: Marks,
    missing: MissingPolicy.Own = .none, format: UInt32 = noIndex
  ) {
    self.opening = opening
    self.path = path
    self.form = form.rawValue
    self.escaper = escaper.rawValue
    self.marks = marks.rawValue
    self.missing = missing.rawValue
    self.format = format
  }
}
