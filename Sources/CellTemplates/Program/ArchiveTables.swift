/// The content of an archive as plain tables, written by the compiler and stored in the file.
///
/// Nothing here is checked; `ArchiveVerifier` decides whether tables can be run.
package struct ArchiveTables: Equatable, Sendable {
  /// All text that programs copy, and all names. `LiteralRef` refers to ranges of it.
  package var literals: [UInt8] = []
  package var names: [NameEntry] = []
  /// The names of dotted paths after the first.
  package var segments: [UInt32] = []
  package var paths: [PathEntry] = []
  package var ops: [Op] = []
  package var programs: [ProgramEntry] = []
  package var calls: [CallEntry] = []
  package var overrides: [OverrideEntry] = []
  package var blocks: [BlockEntry] = []
  package var outlets: [OutletEntry] = []
  package var binds: [BindEntry] = []
  package var conditions: [ConditionEntry] = []
  package var conditionLiterals: [ConditionLiteralEntry] = []
  package var links: [LinkEntry] = []
  /// In the order of the templates folder.
  package var nibs: [NibEntry] = []
  package var parts: [PartEntry] = []
  package var texts: [LiteralRef] = []
  /// Sorted by the bytes of their names.
  package var kinds: [KindEntry] = []
  /// The URL schemes allowed in links: lowercase, sorted by bytes.
  package var schemes: [LiteralRef] = []
  package var formats: [FormatEntry] = []
  package var formatVariants: [FormatVariantEntry] = []
  /// The locale for kinds that say none, then the others.
  package var locales: [LocaleEntry] = []
  /// The tables of locales: see `LocalePack`. Empty if no kind depends on its locale.
  package var pack: [UInt8] = []
  /// What the sample rows of the kinds show of their types, by kind.
  package var sampleTypes: [SampleTypeEntry] = []

  /// The files that nibs link to, sorted by the bytes of their paths, and their bytes, one file after another.
  package var assets: [AssetEntry] = []
  package var assetBytes: [UInt8] = []
  /// The address below which these files are found, if it is not this server's: one row, or none.
  package var assetsURL: [LiteralRef] = []

  package init() {}

  /// The bytes of a literal.
  func text(_ ref: LiteralRef) -> ArraySlice<UInt8> {
    literals[Int(ref.offset)..<Int(ref.offset) + Int(ref.count)]
  }

  /// Names used by requests. The name table of every archive starts with them, in this order.
  package static let reservedNames = [
    "kind", "nib", "class", "id", "data", "etag", "owner", "rows", "locale", "timeZone", "now",
  ]
}

/// The ids of the reserved names: their indexes in `ArchiveTables.reservedNames`.
package enum ReservedName {
  @inlinable package static var kind: UInt32 { 0 }
  @inlinable package static var nib: UInt32 { 1 }
  @inlinable package static var `class`: UInt32 { 2 }
  @inlinable package static var id: UInt32 { 3 }
  @inlinable package static var data: UInt32 { 4 }
  @inlinable package static var etag: UInt32 { 5 }
  @inlinable package static var owner: UInt32 { 6 }
  @inlinable package static var rows: UInt32 { 7 }
  @inlinable package static var locale: UInt32 { 8 }
  @inlinable package static var timeZone: UInt32 { 9 }
  @inlinable package static var now: UInt32 { 10 }
}
