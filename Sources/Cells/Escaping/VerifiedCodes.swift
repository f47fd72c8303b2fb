import CMarkup
import CellTemplates

// The numbers of an archive as the enumerations they stand for. `ArchiveVerifier` has seen that each is a raw value of
// its enumeration, whose raw values are 0, 1, 2 … in the order of its cases, as Swift stores them: so the bits may be
// taken as they are. The renderer asks for every step; a look-up by raw value would cost more than the step.

// By patterns, since `==` of an enumeration with raw values is a call.
extension Escaper {
  /// Its raw value, as which Swift stores it.
  @inline(__always)
  var index: UInt8 { unsafeBitCast(self, to: UInt8.self) }

  /// Whether it replaces characters of markup alone.
  @inline(__always)
  var isMarkup: Bool { index &- Self.rawHTML.index <= Self.attribute.index &- Self.rawHTML.index }

  /// Whether it takes values as JSON, and not as text.
  @inline(__always)
  var takesJSON: Bool { if case .json = self { true } else { false } }

  /// Whether nothing is ever printed, and so nothing missed.
  @inline(__always)
  var isDiscarding: Bool { if case .discard = self { true } else { false } }
}

extension cf_piece {
  @inline(__always)
  var verifiedEscaper: Escaper { unsafeBitCast(escaper, to: Escaper.self) }
}

extension PathEntry {
  @inline(__always)
  var verifiedRoot: Root { unsafeBitCast(UInt8(truncatingIfNeeded: root), to: Root.self) }
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
