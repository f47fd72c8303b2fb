import CellTemplates

// Converts numbers of an archive to their enumerations: see `VerifiedCode`.

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
