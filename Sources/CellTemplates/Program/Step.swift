/// An `Op` as the renderer runs it. It includes the data it refers to, so that most steps need no other
/// table.
///
/// Made from a verified archive's operations at load time, one for one: a step has the index of its `Op`. 32
/// bytes.
package struct Step: BitwiseCopyable, Sendable {
  /// What a step does: an `OpCode`, or a specialized form of one.
  package enum Code: UInt8, BitwiseCopyable, Sendable {
    case end = 0
    case literal = 1
    case value = 2
    case section = 3
    case sectionEnd = 4
    case inverted = 5
    case call = 6
    case parent = 7
    case block = 8
    case bodyEnd = 9
    case lineStart = 10
    case outlet = 11
    case bind = 12
    case outletContent = 13
    case outletEnd = 14
    case condition = 15
    /// An `outlet` directly followed by its `outletContent`, whose content is directly followed by the end. A
    /// text that fills it needs only the literals of these two.
    case plainOutlet = 16
    case presence = 17
    case blind = 18
    case listItem = 19
    case listEnd = 20
    case bound = 21
    case boundBeside = 22
    case conditionBeside = 23
    case include = 24
    case truthy = 25
    case plural = 26
    case machine = 27
    case listWords = 28
    case listBreak = 29
    /// A `value` with a format, whose number is `jump`.
    case format = 30
  }

  /// Copied to the output before the step itself; may be empty.
  package let literal: LiteralRef
  package let code: Code
  /// The escaper of a value or of an outlet's content.
  package let escaper: Escaper
  /// What a value that is missing does.
  package let missing: MissingPolicy.Own
  /// The first name of a path with one or two names. For any other path, the number of all names, which is
  /// not a valid id.
  package let name: UInt32
  /// The second name; `noIndex` if there is none.
  package let member: UInt32
  /// The hint slot.
  package let slot: UInt32
  /// Where to jump if the step does not continue with the next one; for an end, where its loop starts again. For a value,
  /// the number of its format, or `noIndex`.
  package let jump: UInt32
  /// The row of the step's table: path, outlet, bind, call or block. For a `lineStart`, 1 if the line is
  /// blank.
  package let entry: UInt32
}

extension Step.Code {
  init(_ code: OpCode) {
    guard let own = Self(rawValue: UInt8(code.rawValue)) else {
      preconditionFailure("every operation has a step")
    }
    self = own
  }
}
