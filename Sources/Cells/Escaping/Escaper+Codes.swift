import CRowPlan
import CellTemplates

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
  /// See `VerifiedCode`.
  @inline(__always)
  var verifiedEscaper: Escaper { verifiedCode(escaper) }
}
