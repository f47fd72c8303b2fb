/// A table of an archive: its place in the file, where the compiler collects its rows, and where they lie when the archive
/// is in use.
struct ArchiveTable: Sendable {
  /// All tables, in the order of the file. Another one is declared here, in `ArchiveTables` and in `CellArchive`.
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

  /// Appends the rows to a file.
  let write: @Sendable (_ tables: ArchiveTables, _ writer: inout TableWriter) -> Void
  /// Reads the rows, which come next in a file.
  let read:
    @Sendable (_ reader: inout TableReader, _ tables: inout ArchiveTables) throws(ArchiveError) -> Void
  /// Copies the rows of an archive.
  let copy: @Sendable (_ archive: CellArchive, _ tables: inout ArchiveTables) -> Void

  private init<Row: BitwiseCopyable>(
    _ rows: any WritableKeyPath<ArchiveTables, [Row]> & Sendable,
    _ frozen: any KeyPath<CellArchive, FrozenArray<Row>> & Sendable
  ) {
    write = { tables, writer in writer.append(tables[keyPath: rows]) }
    read = { reader, tables throws(ArchiveError) in tables[keyPath: rows] = try reader.rows() }
    copy = { archive, tables in tables[keyPath: rows] = archive[keyPath: frozen].array }
  }
}
