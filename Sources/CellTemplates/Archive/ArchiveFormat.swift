/// The file format of an archive.
///
/// All numbers are little-endian. Version 7:
/// ```
///   0  8  "CELLARCH"
///   8  4  format version: 7
///  12  4  number of tables: 27
///  16  8  length of the whole archive in bytes
///  24  8  checksum, low half    XXH3, 128 bits, seed 0, of all bytes from 40 to the end;
///  32  8  checksum, high half   this is the archive's hash
///  40  8  for each table: size of a row in bytes (4), number of rows (4)
/// 256     the tables, in the order of `ArchiveTables`, each padded with zeros to a multiple of 4
/// ```
/// Rows consist of 32-bit words; those of the literal pool and of the files are bytes. The row types describe them: `NameEntry`,
/// `PathEntry`, `Op`, `ProgramEntry`, `CallEntry`, `OverrideEntry`, `BlockEntry`, `OutletEntry`, `BindEntry`,
/// `ConditionEntry`, `ConditionLiteralEntry`, `LinkEntry`, `NibEntry`, `PartEntry`, `LiteralRef`, `KindEntry`, `FormatEntry`,
/// `FormatVariantEntry`, `LocaleEntry`, `SampleTypeEntry`, `AssetEntry`. The tables of locales are bytes, as `formats.h` has
/// them. The allowed URL schemes and the address of the files are `LiteralRef`s too,
/// lowercase and sorted by bytes. After the reserved names, the cell `hi.mustache` with the text `Hi {{name}}!`
/// has:
/// ```
/// literals  …ownerrowsnameHi !hi      names  …, {"name"}        paths  {root 0, name 8, no segments, "name"}
/// ops       "Hi ", value path 0, escaper 3, slot 0       programs  {ops 0..<2, 1 slot, kind 0}
///           "!", end                                     links  {program 0, slots from 0}
/// kinds     {"hi", HTML, program 0, not indented, links 0..<1, …}
/// schemes   {"http"}, {"https"}, {"mailto"}, {"tel"}
/// ```
/// An archive is refused if its length, its checksum or any reference in it is invalid (`ArchiveVerifier`).
enum ArchiveFormat {
  static let magic = Array("CELLARCH".utf8)
  static let version: UInt32 = 7
  private static let headerCount = 40
  private static let tableCount = 27

  static func contentHash(of archive: [UInt8]) -> ContentHash {
    archive.withUnsafeBytes { ContentHash(of: UnsafeRawBufferPointer(rebasing: $0[headerCount...])) }
  }

  static func encode(_ tables: ArchiveTables) -> [UInt8] {
    var directory: [UInt8] = []
    var content: [UInt8] = []
    func add<Row: BitwiseCopyable>(_ rows: [Row]) {
      append(UInt32(MemoryLayout<Row>.stride), to: &directory)
      append(UInt32(rows.count), to: &directory)
      rows.withUnsafeBytes { bytes in
        if MemoryLayout<Row>.stride == 1 {
          content += bytes
        } else {
          for word in bytes.bindMemory(to: UInt32.self) { append(word, to: &content) }
        }
      }
      while content.count % 4 != 0 { content.append(0) }
    }
    add(tables.literals)
    add(tables.names)
    add(tables.segments)
    add(tables.paths)
    add(tables.ops)
    add(tables.programs)
    add(tables.calls)
    add(tables.overrides)
    add(tables.blocks)
    add(tables.outlets)
    add(tables.binds)
    add(tables.conditions)
    add(tables.conditionLiterals)
    add(tables.links)
    add(tables.nibs)
    add(tables.parts)
    add(tables.texts)
    add(tables.kinds)
    add(tables.schemes)
    add(tables.formats)
    add(tables.formatVariants)
    add(tables.locales)
    add(tables.pack)
    add(tables.sampleTypes)
    add(tables.assets)
    add(tables.assetBytes)
    add(tables.assetsURL)

    let hashed = directory + content
    let hash = ContentHash(of: hashed)
    var archive = magic
    append(version, to: &archive)
    append(UInt32(tableCount), to: &archive)
    append(UInt64(headerCount + hashed.count), to: &archive)
    append(hash.low, to: &archive)
    append(hash.high, to: &archive)
    return archive + hashed
  }

  static func decode(_ bytes: [UInt8], budget: LoadBudget = LoadBudget()) throws(ArchiveError)
    -> ArchiveTables
  {
    guard bytes.starts(with: magic) else { throw .notAnArchive }
    guard bytes.count >= headerCount else {
      throw .truncated(expected: UInt64(headerCount), actual: bytes.count)
    }
    let found = word(bytes, at: 8)
    guard found == version else { throw .unsupportedVersion(found) }
    let length = longWord(bytes, at: 16)
    if UInt64(bytes.count) < length { throw .truncated(expected: length, actual: bytes.count) }
    if UInt64(bytes.count) > length { throw .trailingBytes(bytes.count - Int(length)) }
    guard contentHash(of: bytes) == ContentHash(high: longWord(bytes, at: 32), low: longWord(bytes, at: 24))
    else {
      throw .damaged
    }
    guard word(bytes, at: 12) == UInt32(tableCount), bytes.count >= headerCount + 8 * tableCount else {
      throw .inconsistent("it does not have \(tableCount) tables")
    }

    var tables = ArchiveTables()
    var reader = TableReader(
      bytes: bytes, budget: budget, directory: headerCount, content: headerCount + 8 * tableCount)
    tables.literals = try reader.byteTable()
    tables.names = try reader.rows()
    tables.segments = try reader.rows()
    tables.paths = try reader.rows()
    tables.ops = try reader.rows()
    tables.programs = try reader.rows()
    tables.calls = try reader.rows()
    tables.overrides = try reader.rows()
    tables.blocks = try reader.rows()
    tables.outlets = try reader.rows()
    tables.binds = try reader.rows()
    tables.conditions = try reader.rows()
    tables.conditionLiterals = try reader.rows()
    tables.links = try reader.rows()
    tables.nibs = try reader.rows()
    tables.parts = try reader.rows()
    tables.texts = try reader.rows()
    tables.kinds = try reader.rows()
    tables.schemes = try reader.rows()
    tables.formats = try reader.rows()
    tables.formatVariants = try reader.rows()
    tables.locales = try reader.rows()
    tables.pack = try reader.byteTable()
    tables.sampleTypes = try reader.rows()
    tables.assets = try reader.rows()
    tables.assetBytes = try reader.byteTable()
    tables.assetsURL = try reader.rows()
    guard reader.content == bytes.count else { throw .inconsistent("its tables do not fill it") }
    return tables
  }

  /// Reads one table after another; every length is checked before use.
  private struct TableReader {
    let bytes: [UInt8]
    let budget: LoadBudget
    var directory: Int
    var content: Int

    private mutating func next(stride: Int) throws(ArchiveError) -> (start: Int, count: Int) {
      let size = Int(word(bytes, at: directory))
      let count = Int(word(bytes, at: directory + 4))
      directory += 8
      guard size == stride else {
        throw .inconsistent("a table has rows of \(size) bytes instead of \(stride)")
      }
      let length = count * stride
      let padded = (length + 3) / 4 * 4
      guard padded <= bytes.count - content else { throw .inconsistent("a table extends beyond its end") }
      if !budget.spend(padded), let fault = budget.fault { throw .loadLimit(fault.message, hint: fault.hint) }
      let start = content
      content += padded
      return (start, count)
    }

    mutating func byteTable() throws(ArchiveError) -> [UInt8] {
      let (start, count) = try next(stride: 1)
      return Array(bytes[start..<start + count])
    }

    mutating func rows<Row: BitwiseCopyable>() throws(ArchiveError) -> [Row] {
      let stride = MemoryLayout<Row>.stride
      let (start, count) = try next(stride: stride)
      return [Row](unsafeUninitializedCapacity: count) { rows, initialized in
        // Rows consist of 32-bit words. Each is read as such, so that the byte order is the format's.
        let words = UnsafeMutableRawBufferPointer(rows)
        for offset in Swift.stride(from: 0, to: count * stride, by: 4) {
          words.storeBytes(of: word(bytes, at: start + offset), toByteOffset: offset, as: UInt32.self)
        }
        initialized = count
      }
    }
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      | UInt32(bytes[offset + 3]) << 24
  }

  private static func longWord(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    UInt64(word(bytes, at: offset)) | UInt64(word(bytes, at: offset + 4)) << 32
  }
}
