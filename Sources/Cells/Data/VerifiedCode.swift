/// The case of an enumeration with this raw value, for numbers that the archive's verifier or the JSON parser
/// has checked.
///
/// The bits are used directly, because the renderer does this for every step and node, and a look-up by raw
/// value would cost more than the step. This is sound for enumerations whose raw values are 0, 1, 2 … in the
/// order of their cases, which is how Swift stores them; a test compares each.
@inline(__always)
func verifiedCode<Code: RawRepresentable>(_ number: UInt8) -> Code { unsafeBitCast(number, to: Code.self) }
