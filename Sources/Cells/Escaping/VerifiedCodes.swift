import CMarkup
import CellTemplates

// Converts an archive's numbers to their enumerations. `ArchiveVerifier` has checked that each is a raw value
// of its enumeration. Raw values are 0, 1, 2 … in the order of the cases, which is how Swift stores them, so
// the bits are used directly. The renderer does this for every step, and a look-up by raw value would cost
// more than the step.

// Uses patterns, because `==` of enumerations with raw values is a function call.
extension Escaper {
  /// The raw value, which is also the stored representation.
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
  var verifiedEscaper: Escaper { unsafeBitCast(escaper, to: Escaper.self) }
}

extension OutletEntry {
  @inline(__always)
  var verifiedForm: Form { unsafeBitCast(UInt8(truncatingIfNeeded: form), to: Form.self) }

  @inline(__always)
  var verifiedEscaper: Escaper { unsafeBitCast(UInt8(truncatingIfNeeded: escaper), to: Escaper.self) }
}

extension BindEntry {
  @inline(__always)
  var verifiedForm: Form { unsafeBitCast(UInt8(truncatingIfNeeded: form), to: Form.self) }

  @inline(__always)
  var verifiedEscaper: Escaper { unsafeBitCast(UInt8(truncatingIfNeeded: escaper), to: Escaper.self) }
}
