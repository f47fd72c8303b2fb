/// A kind: what its cells are made from, and its description.
package struct KindEntry: BitwiseCopyable, Equatable, Sendable {
  /// The most classes of one: a row that selects by class is compared with each.
  package static let classLimit = 256

  package var name: LiteralRef
  /// 1 for a text cell.
  package var isText: UInt32
  package var program: UInt32
  /// The same template with line starts marked for indentation; none if nothing indents it.
  package var indentedProgram: UInt32
  package var linkStart: UInt32
  package var linkCount: UInt32
  package var slotCount: UInt32
  /// Ranges of the table of texts: Mustache names in order of appearance, and called partials.
  package var nameStart: UInt32
  package var nameCount: UInt32
  package var partialStart: UInt32
  package var partialCount: UInt32
  /// The nib that contains it, and its index among the nib's cells; none for a Mustache file.
  package var nib: UInt32
  package var order: UInt32
  /// A range of the table of texts: its classes, its own first.
  package var classStart: UInt32
  package var classCount: UInt32
  /// The locale it is written in, as an index into the table of locales.
  package var locale: UInt32
  /// A range of the table of parts.
  package var partStart: UInt32
  package var partCount: UInt32
  package var versionHighHigh: UInt32
  package var versionHighLow: UInt32
  package var versionLowHigh: UInt32
  package var versionLowLow: UInt32

  package var version: ContentHash {
    get {
      ContentHash(
        high: UInt64(versionHighHigh) << 32 | UInt64(versionHighLow),
        low: UInt64(versionLowHigh) << 32 | UInt64(versionLowLow))
    }
    set {
      versionHighHigh = UInt32(truncatingIfNeeded: newValue.high >> 32)
      versionHighLow = UInt32(truncatingIfNeeded: newValue.high)
      versionLowHigh = UInt32(truncatingIfNeeded: newValue.low >> 32)
      versionLowLow = UInt32(truncatingIfNeeded: newValue.low)
    }
  }
}
