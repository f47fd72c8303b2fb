/// The content of an archive as plain tables, written by the compiler and stored in the file.
///
/// Nothing here is checked; `ArchiveVerifier` decides whether tables can be run.
///
/// To add a table, add it here, to `ArchiveTable.all` below and to `CellArchive`, check its rows in `ArchiveVerifier`, and
/// raise `ArchiveFormat.version`.
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
}

extension ArchiveTable {
  /// All tables, in the order of the file.
  static let all: [ArchiveTable] = [
    ArchiveTable(\.literals, \.literals), ArchiveTable(\.names, \.names),
    ArchiveTable(\.segments, \.segments),
    ArchiveTable(\.paths, \.paths), ArchiveTable(\.ops, \.ops), ArchiveTable(\.programs, \.programs),
    ArchiveTable(\.calls, \.calls), ArchiveTable(\.overrides, \.overrides), ArchiveTable(\.blocks, \.blocks),
    ArchiveTable(\.outlets, \.outlets), ArchiveTable(\.binds, \.binds),
    ArchiveTable(\.conditions, \.conditions),
    ArchiveTable(\.conditionLiterals, \.conditionLiterals), ArchiveTable(\.links, \.links),
    ArchiveTable(\.nibs, \.nibs), ArchiveTable(\.parts, \.parts), ArchiveTable(\.texts, \.texts),
    ArchiveTable(\.kinds, \.kinds), ArchiveTable(\.schemes, \.schemes), ArchiveTable(\.formats, \.formats),
    ArchiveTable(\.formatVariants, \.formatVariants), ArchiveTable(\.locales, \.locales),
    ArchiveTable(\.pack, \.packBytes), ArchiveTable(\.sampleTypes, \.sampleTypes),
    ArchiveTable(\.assets, \.assets),
    ArchiveTable(\.assetBytes, \.assetPool), ArchiveTable(\.assetsURL, \.assetsURLRows),
  ]
}
