/// A table of an archive, whatever its entries are, as `ArchiveTables` finds it by reflection.
protocol AnyTable {
  /// What checks the entries when an archive is read.
  var check: TableCheck { get }
  /// The size of an entry in a file.
  var entryBytes: Int { get }

  /// Appends the entries to a file.
  func write(to writer: inout TableWriter)

  /// Reads the entries, which come next in a file. The table must be new: its copies are filled, too.
  func fill(from reader: inout TableReader) throws(ArchiveError)

  /// Takes the entries of a table, in the form in which archives use them. The same applies.
  func fill(freezing table: any AnyTable)
}
