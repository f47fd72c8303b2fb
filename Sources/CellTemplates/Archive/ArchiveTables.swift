/// The content of an archive as plain tables, written by the compiler and stored in the file.
///
/// Nothing here is checked; `ArchiveVerifier` decides whether tables can be run.
///
/// To add a table, add it here, to `ArchiveTable.all` below and to `CellArchive`, and raise `ArchiveFormat.version`. The list
/// asks for the check of its entries, a method of `ArchiveVerifier`.
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
    ArchiveTable(\.literals, \.literals, .unchecked("any bytes may be text")),
    ArchiveTable(\.names, \.names, .checked(by: ArchiveVerifier.verifyNames)),
    ArchiveTable(\.segments, \.segments, .checked(by: ArchiveVerifier.verifySegments)),
    ArchiveTable(\.paths, \.paths, .checked(by: ArchiveVerifier.verifyPaths)),
    ArchiveTable(\.ops, \.ops, .unchecked("each belongs to a program, which checks it")),
    ArchiveTable(\.programs, \.programs, .checkedLast(by: ArchiveVerifier.verifyPrograms)),
    ArchiveTable(\.calls, \.calls, .checked(by: ArchiveVerifier.verifyCalls)),
    ArchiveTable(\.overrides, \.overrides, .checked(by: ArchiveVerifier.verifyOverrides)),
    ArchiveTable(\.blocks, \.blocks, .checked(by: ArchiveVerifier.verifyBlocks)),
    ArchiveTable(\.outlets, \.outlets, .checked(by: ArchiveVerifier.verifyOutlets)),
    ArchiveTable(\.binds, \.binds, .checked(by: ArchiveVerifier.verifyBinds)),
    ArchiveTable(\.conditions, \.conditions, .checked(by: ArchiveVerifier.verifyConditions)),
    ArchiveTable(
      \.conditionLiterals, \.conditionLiterals, .checked(by: ArchiveVerifier.verifyConditionLiterals)),
    ArchiveTable(\.links, \.links, .unchecked("each belongs to a kind, which checks it")),
    ArchiveTable(\.nibs, \.nibs, .checked(by: ArchiveVerifier.verifyNibs)),
    ArchiveTable(\.parts, \.parts, .checked(by: ArchiveVerifier.verifyParts)),
    ArchiveTable(\.texts, \.texts, .checked(by: ArchiveVerifier.verifyTexts)),
    ArchiveTable(\.kinds, \.kinds, .checked(by: ArchiveVerifier.verifyKinds)),
    ArchiveTable(\.schemes, \.schemes, .checked(by: ArchiveVerifier.verifySchemes)),
    ArchiveTable(\.formats, \.formats, .checked(by: ArchiveVerifier.verifyFormats)),
    ArchiveTable(\.formatVariants, \.formatVariants, .unchecked("each belongs to a format, which checks it")),
    ArchiveTable(\.locales, \.locales, .checked(by: ArchiveVerifier.verifyLocales)),
    ArchiveTable(\.pack, \.packBytes, .unchecked("checked together with the locales")),
    ArchiveTable(\.sampleTypes, \.sampleTypes, .checked(by: ArchiveVerifier.verifySampleTypes)),
    ArchiveTable(\.assets, \.assets, .checked(by: ArchiveVerifier.verifyAssets)),
    ArchiveTable(\.assetBytes, \.assetPool, .unchecked("each belongs to a file, which checks its hash")),
    ArchiveTable(\.assetsURL, \.assetsURLRows, .checked(by: ArchiveVerifier.verifyAssetsURL)),
  ]
}
