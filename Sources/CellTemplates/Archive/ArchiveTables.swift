/// The content of an archive as plain tables, written by the compiler and stored in the file.
///
/// Nothing here is checked; `ArchiveVerifier` decides whether tables can be run.
///
/// To add a table, declare it here with the check of its entries: a method of `ArchiveVerifier`. Writing and reading files find
/// it by reflection. The compiler fills it, and `RenderTables` has its address if rows are rendered by it. The order of the declarations is that of the file.
package struct ArchiveTables: Sendable {
  /// All text that programs copy, and all names. `LiteralRef` refers to ranges of it.
  @Table(.unchecked("any bytes may be text")) package var literals: [UInt8]
  @Table(.checked(by: ArchiveVerifier.verifyNames)) package var names: [NameEntry]
  /// The names of dotted paths after the first.
  @Table(.checked(by: ArchiveVerifier.verifySegments)) package var segments: [UInt32]
  @Table(.checked(by: ArchiveVerifier.verifyPaths)) package var paths: [PathEntry]
  @Table(.unchecked("each belongs to a program, which checks it")) package var ops: [Op]
  @Table(.checkedLast(by: ArchiveVerifier.verifyPrograms)) package var programs: [ProgramEntry]
  @Table(.checked(by: ArchiveVerifier.verifyCalls)) package var calls: [CallEntry]
  @Table(.checked(by: ArchiveVerifier.verifyOverrides)) package var overrides: [OverrideEntry]
  @Table(.checked(by: ArchiveVerifier.verifyBlocks)) package var blocks: [BlockEntry]
  @Table(.checked(by: ArchiveVerifier.verifyOutlets)) package var outlets: [OutletEntry]
  @Table(.checked(by: ArchiveVerifier.verifyBinds)) package var binds: [BindEntry]
  @Table(.checked(by: ArchiveVerifier.verifyConditions)) package var conditions: [ConditionEntry]
  @Table(.checked(by: ArchiveVerifier.verifyConditionLiterals))
  package var conditionLiterals: [ConditionLiteralEntry]
  @Table(.unchecked("each belongs to a kind, which checks it")) package var links: [LinkEntry]
  /// In the order of the templates folder.
  @Table(.checked(by: ArchiveVerifier.verifyNibs)) package var nibs: [NibEntry]
  @Table(.checked(by: ArchiveVerifier.verifyParts)) package var parts: [PartEntry]
  @Table(.checked(by: ArchiveVerifier.verifyTexts)) package var texts: [LiteralRef]
  /// Sorted by the bytes of their names.
  @Table(.checked(by: ArchiveVerifier.verifyKinds)) package var kinds: [KindEntry]
  /// The URL schemes allowed in links: lowercase, sorted by bytes.
  @Table(.checked(by: ArchiveVerifier.verifySchemes)) package var schemes: [LiteralRef]
  @Table(.checked(by: ArchiveVerifier.verifyFormats)) package var formats: [FormatEntry]
  @Table(.unchecked("each belongs to a format, which checks it"))
  package var formatVariants: [FormatVariantEntry]
  /// The locale for kinds that name none, then the others.
  @Table(.checked(by: ArchiveVerifier.verifyLocales)) package var locales: [LocaleEntry]
  /// The tables of locales: see `LocalePack`. Empty if no kind depends on its locale.
  @Table(.unchecked("checked together with the locales")) package var pack: [UInt8]
  /// What the sample rows of the kinds show of their types, by kind.
  @Table(.checked(by: ArchiveVerifier.verifySampleTypes)) package var sampleTypes: [SampleTypeEntry]
  /// The files that nibs link to, sorted by the bytes of their paths, and their bytes, one file after another.
  @Table(.checked(by: ArchiveVerifier.verifyAssets)) package var assets: [AssetEntry]
  @Table(.unchecked("each belongs to a file, which checks its hash")) package var assetBytes: [UInt8]
  /// The address below which these files are found, if it is not this server's: one row, or none.
  @Table(.checked(by: ArchiveVerifier.verifyAssetsURL)) package var assetsURL: [LiteralRef]

  /// Empty tables, to collect entries.
  package init() {}

  /// Reads the tables of a file.
  init(from reader: inout TableReader) throws(ArchiveError) {
    self.init()
    for table in all { try table.fill(from: &reader) }
  }

  /// The same entries in the form in which archives use them. They are copied, because entries that are collected may have
  /// other owners.
  func frozen() -> ArchiveTables {
    let tables = ArchiveTables()
    for (table, collected) in zip(tables.all, all) { table.fill(freezing: collected) }
    return tables
  }

  /// The bytes of a literal while the tables are collected.
  func text(_ ref: LiteralRef) -> ArraySlice<UInt8> {
    literals[Int(ref.offset)..<Int(ref.offset) + Int(ref.count)]
  }
}

// What is known by reflection.
extension ArchiveTables {
  /// All tables, in the order of the file.
  var all: [any AnyTable] {
    Mirror(reflecting: self).children.map { child in
      guard let table = child.value as? any AnyTable else {
        preconditionFailure("\(child.label ?? "") is no `Table`, so no archive would have it")
      }
      return table
    }
  }

  /// The names of all tables, in the order of the file.
  package static let tableNames = Mirror(reflecting: ArchiveTables()).children.map { child in
    // A property with a wrapper is stored under its name with an underscore.
    String(child.label?.dropFirst() ?? "")
  }

  /// The sizes of their entries.
  static let entryBytes = ArchiveTables().all.map(\.entryBytes)
}
