/// The file format of an archive.
///
/// All numbers are little-endian:
/// ```
///   0  8  "CELLARCH"
///   8  4  format version
///  12  4  number of tables
///  16  8  length of the whole archive in bytes
///  24  8  checksum, low half    XXH3, 128 bits, seed 0, of all bytes from 40 to the end;
///  32  8  checksum, high half   this is the archive's hash
///  40  8  for each table: size of an entry in bytes (4), number of entries (4)
///         the tables, in the order of `ArchiveTables`, each padded with zeros to a multiple of 4
/// ```
/// Entries consist of 32-bit words, except for tables of bytes. Their types describe them; the tables of locales are as
/// `formats.h` has them. After the reserved names, the cell `hi.mustache` with the text `Hi {{name}}!` has:
/// ```
/// literals  …timeZonenownameHi !hi    names  …, {"name"}        paths  {root 0, name 11, no segments, "name"}
/// ops       "Hi ", value path 0, escaper 3, slot 0       programs  {ops 0..<2, 1 slot, kind 0}
///           "!", end                                     links  {program 0, slots from 0}
/// kinds     {"hi", HTML, program 0, not indented, links 0..<1, …}
/// schemes   {"http"}, {"https"}, {"mailto"}, {"tel"}
/// ```
/// An archive is refused if its length, its checksum or any reference in it is invalid (`ArchiveVerifier`). If its directory
/// has another number of tables, or other sizes of entries, another release has made it.
enum ArchiveFormat {
  static let magic = Array("CELLARCH".utf8)
  /// Raised when entries change their meaning, but not their size. A new table changes the directory, so that other
  /// releases refuse the file anyway.
  static let version: UInt32 = 7
  private static let headerCount = 40
  private static var tableCount: Int { ArchiveTables.entryBytes.count }

  static func contentHash(of archive: [UInt8]) -> ContentHash {
    archive.withUnsafeBytes { ContentHash(of: UnsafeRawBufferPointer(rebasing: $0[headerCount...])) }
  }

  static func encode(_ tables: ArchiveTables) -> [UInt8] {
    var writer = TableWriter()
    for table in tables.all { table.write(to: &writer) }
    let hashed = writer.directory + writer.content
    let hash = ContentHash(of: hashed)
    var archive = magic
    archive.append(word: version)
    archive.append(word: UInt32(tableCount))
    archive.append(longWord: UInt64(headerCount + hashed.count))
    archive.append(longWord: hash.low)
    archive.append(longWord: hash.high)
    return archive + hashed
  }

  static func decode(_ bytes: [UInt8], budget: LoadBudget = LoadBudget()) throws(ArchiveError)
    -> ArchiveTables
  {
    guard bytes.starts(with: magic) else { throw .notAnArchive }
    guard bytes.count >= headerCount else {
      throw .truncated(expected: UInt64(headerCount), actual: bytes.count)
    }
    let found = bytes.word(at: 8)
    guard found == version else { throw .unsupportedVersion(found) }
    let length = bytes.longWord(at: 16)
    if UInt64(bytes.count) < length { throw .truncated(expected: length, actual: bytes.count) }
    if UInt64(bytes.count) > length { throw .trailingBytes(bytes.count - Int(length)) }
    guard contentHash(of: bytes) == ContentHash(high: bytes.longWord(at: 32), low: bytes.longWord(at: 24))
    else {
      throw .damaged
    }
    guard bytes.word(at: 12) == UInt32(tableCount) else { throw .otherTables }
    guard bytes.count >= headerCount + 8 * tableCount else {
      throw .inconsistent("it does not have \(tableCount) tables")
    }
    for (number, size) in ArchiveTables.entryBytes.enumerated() {
      guard bytes.word(at: headerCount + 8 * number) == UInt32(size) else { throw .otherTables }
    }

    var reader = TableReader(
      bytes: bytes, budget: budget, directory: headerCount, content: headerCount + 8 * tableCount)
    let tables = try ArchiveTables(from: &reader)
    guard reader.content == bytes.count else { throw .inconsistent("its tables do not fill it") }
    return tables
  }
}
