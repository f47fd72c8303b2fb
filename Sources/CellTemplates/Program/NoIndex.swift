/// A missing index or number in the entries of an archive's tables. These consist of 32-bit words, so that an archive is
/// read by copying.
@inlinable package var noIndex: UInt32 { UInt32.max }
