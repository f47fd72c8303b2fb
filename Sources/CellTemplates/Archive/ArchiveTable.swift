/// A table of an archive: its place in the file, where the compiler collects its rows, and where they lie when the archive
/// is in use.
struct ArchiveTable: Sendable {
  /// Appends the rows to a file.
  let write: @Sendable (_ tables: ArchiveTables, _ writer: inout TableWriter) -> Void
  /// Reads the rows, which come next in a file.
  let read:
    @Sendable (_ reader: inout TableReader, _ tables: inout ArchiveTables) throws(ArchiveError) -> Void
  /// Copies the rows of an archive.
  let copy: @Sendable (_ archive: CellArchive, _ tables: inout ArchiveTables) -> Void

  init<Row: BitwiseCopyable>(
    _ rows: any WritableKeyPath<ArchiveTables, [Row]> & Sendable,
    _ frozen: any KeyPath<CellArchive, FrozenArray<Row>> & Sendable
  ) {
    write = { tables, writer in writer.append(tables[keyPath: rows]) }
    read = { reader, tables throws(ArchiveError) in tables[keyPath: rows] = try reader.rows() }
    copy = { archive, tables in tables[keyPath: rows] = archive[keyPath: frozen].array }
  }
}
