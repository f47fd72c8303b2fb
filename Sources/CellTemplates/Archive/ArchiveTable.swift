/// A table of an archive: its place in the file, where the compiler collects its entries, where they lie when the archive
/// is in use, and what checks them when an archive is read.
struct ArchiveTable: Sendable {
  /// How the entries of a table that was read are checked.
  enum Check: Sendable {
    /// In the order of the file.
    case checked(by: Method)
    /// After all other tables, on whose entries it relies.
    case checkedLast(by: Method)
    /// Not by themselves, for this reason.
    case unchecked(StaticString)

    typealias Method = @Sendable (ArchiveVerifier) -> () throws(ArchiveError) -> Void
  }

  let check: Check
  /// Appends the entries to a file.
  let write: @Sendable (_ tables: ArchiveTables, _ writer: inout TableWriter) -> Void
  /// Reads the entries, which come next in a file.
  let read:
    @Sendable (_ reader: inout TableReader, _ tables: inout ArchiveTables) throws(ArchiveError) -> Void
  /// Copies the entries of an archive.
  let copy: @Sendable (_ archive: CellArchive, _ tables: inout ArchiveTables) -> Void

  init<Entry: BitwiseCopyable>(
    _ entries: any WritableKeyPath<ArchiveTables, [Entry]> & Sendable,
    _ frozen: any KeyPath<CellArchive, FrozenArray<Entry>> & Sendable, _ check: Check
  ) {
    self.check = check
    write = { tables, writer in writer.append(tables[keyPath: entries]) }
    read = { reader, tables throws(ArchiveError) in tables[keyPath: entries] = try reader.entries() }
    copy = { archive, tables in tables[keyPath: entries] = archive[keyPath: frozen].array }
  }
}
