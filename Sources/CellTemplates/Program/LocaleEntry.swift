/// A locale that cells are offered in. Consists of 32-bit words, like all entries of archives.
package struct LocaleEntry: BitwiseCopyable, Equatable, Sendable {
  package static let tagLimitBytes: UInt32 = 64

  /// Its tag, as it was given.
  package var tag: LiteralRef
  /// Its index in the archive's pack of locale tables.
  package var index: UInt32
  /// 1 if every kind is offered in it; 0 if it is only the locale that some nibs are written in.
  package var isOffered: UInt32
}
