/// An attribute that an outlet's value may set. Made of 32-bit words, as all rows of an archive's tables.
package struct BindEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    case text = 0
    /// There, without a value, if what sets it is truthy.
    case boolean = 1
    /// As `text`; the items of a list are joined by spaces.
    case classList = 2
  }

  /// The attribute up to its value: ` href="`; of a boolean attribute all of it: ` checked`.
  package var opening: LiteralRef
  /// The value's own key that sets it; none where no key does.
  package var name: UInt32
  /// A `Form`.
  package var form: UInt32
  /// The `Escaper` of its value.
  package var escaper: UInt32
  /// 1: a string or number that is the outlet's value sets it (`src`, `value`).
  package var takesScalar: UInt32
  /// 1: the outlet's value, where it is `null` or a truth value, sets it (`checked`, `selected`).
  package var takesChoice: UInt32

  package init(
    opening: LiteralRef, name: UInt32, form: Form, escaper: Escaper, takesScalar: Bool = false,
    takesChoice: Bool = false
  ) {
    self.opening = opening
    self.name = name
    self.form = form.rawValue
    self.escaper = escaper.rawValue
    self.takesScalar = takesScalar ? 1 : 0
    self.takesChoice = takesChoice ? 1 : 0
  }
}
