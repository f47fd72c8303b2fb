/// An attribute that an outlet's value may set. Consists of 32-bit words, like all archive table rows.
package struct BindEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, Sendable {
    case text = 0
    /// Present, without a value, if its value is truthy.
    case boolean = 1
    /// Like `text`; the items of a list are joined by spaces.
    case classList = 2
  }

  /// The attribute up to its value: ` href="`. For a Boolean attribute, all of it: ` checked`.
  package var opening: LiteralRef
  /// The key of the outlet's value that sets it; `noIndex` if no key does.
  package var name: UInt32
  /// A `Form`.
  package var form: UInt32
  /// The `Escaper` of its value.
  package var escaper: UInt32
  /// 1 if a string or number as the outlet's value sets it (`src`, `value`).
  package var takesScalar: UInt32
  /// 1 if `null`, true or false as the outlet's value sets it (`checked`, `selected`).
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
