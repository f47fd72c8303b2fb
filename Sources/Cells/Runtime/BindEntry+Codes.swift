import CellTemplates

// Converts numbers of an archive to their enumerations: see `VerifiedCode`.

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
