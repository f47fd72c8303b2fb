/// One operation of a compiled template: bytes to copy, then an action. Programs are flat runs of operations,
/// copied from the archive unchanged.
///
/// The meaning of `a`, `b` and `c` depends on the code; see `OpCode`. 24 bytes without padding.
package struct Op: BitwiseCopyable, Equatable, Sendable {
  /// Copied to the output before the action; may be empty.
  package var literal: LiteralRef
  package var code: UInt32
  package var a: UInt32
  package var b: UInt32
  package var c: UInt32

  package init(_ code: OpCode, a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, literal: LiteralRef = .empty) {
    self.literal = literal
    self.code = code.rawValue
    self.a = a
    self.b = b
    self.c = c
  }
}

/// What an operation does. Jumps are indexes into the archive's single table of operations.
///
/// | code | a | b | c |
/// |---|---|---|---|
/// | `literal` | | | |
/// | `value` | path | `Escaper`, a `MissingPolicy.Own` times 256, and the number of its format from 1 times 65536 | hint slot |
/// | `section` | path | the operation after its `sectionEnd` | hint slot |
/// | `sectionEnd` | its `section` | | |
/// | `inverted` | path | the operation after its content | hint slot |
/// | `truthy` | path | the operation after its content | hint slot |
/// | `call` | call | | hint slot, for a dynamic name |
/// | `include` | call | `Op.include` | hint slot, for a dynamic name |
/// | `parent` | call | the operation after its overrides | hint slot, for a dynamic name |
/// | `block` | block | the operation after its default content | |
/// | `bodyEnd` | | | |
/// | `lineStart` | 1 if the line is blank | | |
/// | `outlet` | outlet | the operation after its `outletEnd` | hint slot |
/// | `bind` | bind | the operation after the drawn attribute | hint slot, if it has a path |
/// | `presence` | bind | the operation after what goes with it | hint slot, if it has a path |
/// | `bound`, `boundBeside` | path | as for `value` | hint slot |
/// | `listItem` | the opening's offset in the literals | its count of bytes | `Op.listItem` |
/// | `listBreak` | | | |
/// | `listEnd` | | | |
/// | `plural` | condition | the operation after its content | hint slot |
/// | `machine` | outlet | format | hint slot, for a value's own text |
/// | `listWords` | format | 1 if it is after the last item | |
/// | `blind` | 1 if it is inverted | the operation after its content | |
/// | `outletContent` | outlet | the operation after the designed content | hint slot, for a value's own text |
/// | `outletEnd` | its `outlet` | | |
/// | `condition`, `conditionBeside` | condition | the operation after what it decides | hint slot |
/// | `end` | | | |
package enum OpCode: UInt32, Sendable {
  /// Ends a program and returns to its caller.
  case end = 0
  /// Does nothing; only copies its literal.
  case literal = 1
  /// Writes the value of a path with an escaper chosen at load time.
  case value = 2
  /// Runs the following operations for each item, once, or not at all.
  case section = 3
  case sectionEnd = 4
  /// Runs the following operations if the value of the path is falsy.
  case inverted = 5
  /// Runs another program.
  case call = 6
  /// Runs another program with blocks overridden; the bodies of the overrides follow directly.
  case parent = 7
  /// Runs the outermost override of a block, or the default content that follows.
  case block = 8
  /// Ends an override's body and returns to its block.
  case bodyEnd = 9
  /// The start of a line of a template that may be indented: writes the current indentation unless the line
  /// is blank.
  case lineStart = 10
  /// Runs an element's operations as often as its outlet's value requires: not at all, once, or once for each
  /// item.
  case outlet = 11
  /// Writes an attribute, or an item of one, from a value, omits it, or runs the following operations, which write it
  /// as drawn.
  case bind = 12
  /// Writes the value that fills the element, or runs the following operations, which write its designed
  /// content.
  case outletContent = 13
  case outletEnd = 14
  /// Runs the following operations if a condition holds.
  case condition = 15
  /// Runs the following operations unless a bound attribute would be left out.
  case presence = 17
  /// Runs the following operations if the innermost outlet has no value; or, inverted, if it has one.
  case blind = 18
  /// Opens an attribute that is a list, or writes the separator between its items.
  case listItem = 19
  /// Closes an attribute that is a list, if it was opened.
  case listEnd = 20
  /// Ends an item of such an attribute, so that the next `listItem` begins another.
  case listBreak = 29
  /// Writes a value in the text of a bound attribute.
  case bound = 21
  /// Same, on an element with an outlet, in whose value the path starts.
  case boundBeside = 22
  /// Runs the following operations if a condition about an attribute of an element with an outlet holds.
  case conditionBeside = 23
  /// Runs another cell's program, with the value of an outlet as its row, or as a partial.
  case include = 24
  /// Runs the following operations once if the value of the path is truthy.
  case truthy = 25
  /// Runs the following operations if the category of the path's number is one that is asked for. The path is looked up
  /// as a section's.
  case plural = 26
  /// Writes the attribute that programs read of a value that is shown formatted.
  case machine = 27
  /// Writes the words of a list before an item of the innermost outlet, or those after the last.
  case listWords = 28
}

extension Op {
  /// `b` of a `value` or `bound`.
  /// - Parameter format: the number of a format, `noIndex` if it has none.
  static func value(_ escaper: Escaper, _ missing: MissingPolicy.Own, format: UInt32 = noIndex) -> UInt32 {
    escaper.rawValue | missing.rawValue << 8 | (format &+ 1) << 16
  }

  /// `b` of an `include`.
  static func include(isBeside: Bool, _ missing: MissingPolicy.Own) -> UInt32 {
    (isBeside ? 1 : 0) | missing.rawValue << 8
  }

  /// `c` of a `listItem`.
  /// - Parameter goesOn: whether it does nothing if an item has begun since the last `listBreak`.
  static func listItem(_ separator: UInt8, goesOn: Bool) -> UInt32 {
    UInt32(separator) | (goesOn ? goesOnWithItem : 0)
  }

  package static var goesOnWithItem: UInt32 { 0x80 }

  /// Whether an `include` is beside an outlet, and the policy of its name; nil if it has unknown codes.
  var includeCodes: (isBeside: Bool, missing: MissingPolicy.Own)? {
    guard b & 0xFF <= 1, let missing = MissingPolicy.Own(rawValue: b >> 8) else { return nil }
    return (b & 0xFF == 1, missing)
  }

  /// The escaper, the policy and the format of a `value`; nil if one is unknown.
  var valueCodes: (escaper: Escaper, missing: MissingPolicy.Own, format: UInt32)? {
    guard let escaper = Escaper(rawValue: b & 0xFF), let missing = MissingPolicy.Own(rawValue: b >> 8 & 0xFF)
    else { return nil }
    return (escaper, missing, b >> 16 &- 1)
  }

  /// The format of a `value` or `bound`; `noIndex` if it has none.
  package var valueFormat: UInt32 { b >> 16 &- 1 }
}
