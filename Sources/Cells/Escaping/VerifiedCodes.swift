import CRowPlan
import CellTemplates

// Converts an archive's numbers to their enumerations: see `VerifiedCode`.

// Uses patterns, because `==` of enumerations with raw values is a function call.
extension Escaper {
  /// The raw value. It is read from the bits, because a switch over all cases would cost more than most steps;
  /// an enum whose raw values are 0, 1, 2 … is stored as that number.
  @inline(__always)
  var index: UInt8 { unsafeBitCast(self, to: UInt8.self) }

  /// Whether it replaces only markup characters.
  @inline(__always)
  var isMarkup: Bool { index &- Self.rawHTML.index <= Self.attribute.index &- Self.rawHTML.index }

  /// Whether it takes values as JSON instead of text.
  @inline(__always)
  var takesJSON: Bool { if case .json = self { true } else { false } }

  /// Whether it never prints anything, so nothing can be missing.
  @inline(__always)
  var isDiscarding: Bool { if case .discard = self { true } else { false } }
}

extension cf_piece {
  @inline(__always)
  var verifiedEscaper: Escaper { verifiedCode(escaper) }
}

extension OutletEntry {
  @inline(__always)
  var verifiedForm: Form { verifiedCode(UInt8(truncatingIfNeeded: form)) }

  @inline(__always)
  var verifiedEscaper: Escaper { verifiedCode(UInt8(truncatingIfNeeded: escaper)) }

  @inline(__always)
  var verifiedAbsence: Absence { verifiedCode(UInt8(truncatingIfNeeded: absence)) }

  @inline(__always)
  var verifiedHeld: Held { verifiedCode(UInt8(truncatingIfNeeded: held)) }

  @inline(__always)
  var verifiedMissing: MissingPolicy.Own { verifiedCode(UInt8(truncatingIfNeeded: missing)) }
}

extension BindEntry {
  @inline(__always)
  var verifiedForm: Form { verifiedCode(UInt8(truncatingIfNeeded: form)) }

  @inline(__always)
  var verifiedEscaper: Escaper { verifiedCode(UInt8(truncatingIfNeeded: escaper)) }

  @inline(__always)
  var verifiedMissing: MissingPolicy.Own { verifiedCode(UInt8(truncatingIfNeeded: missing)) }

  /// Unlike `contains` of a set, it allocates nothing in a debug build.
  @inline(__always)
  func has(_ mark: Marks) -> Bool { marks & mark.rawValue != 0 }
}
