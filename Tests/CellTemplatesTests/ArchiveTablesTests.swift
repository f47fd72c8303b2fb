import Scaling
import Testing

@testable import CellTemplates

/// The declarations of tables, and what follows from them.
@Suite struct ArchiveTablesTests {
  @Test func aCopyOfTablesIsAnotherValue() {
    var tables = ArchiveTables()
    tables.segments = [1]
    var copy = tables
    copy.segments.append(2)
    copy.segments[0] = 3
    #expect(tables.segments == [1] && copy.segments == [3, 2])
    tables.segments.append(4)
    #expect(tables.segments == [1, 4] && copy.segments == [3, 2])
  }

  @Test func tablesInUseAreAnotherValueThanThoseTheyAreMadeOf() {
    var tables = ArchiveTables()
    tables.segments = [1, 2]
    let frozen = tables.frozen()
    tables.segments.append(3)
    #expect(frozen.$segments.array == [1, 2] && tables.segments == [1, 2, 3])
    #expect(frozen.$names.count == 0)
  }

  /// Each change would copy all entries if their table were changed through a copy.
  @Test func entriesAreCollectedInLinearTime() {
    let fault = Scaling.fault(at: 4_000, make: { $0 }) { count in
      var tables = ArchiveTables()
      for entry in 0..<count {
        tables.segments.append(UInt32(entry))
        tables.segments[entry / 2] += 1
      }
    }
    if let fault { Issue.record("\(fault)") }
  }

  @Test func bothFormsAreStoredAsTheSameBytes() throws {
    let bytes = try ArchiveFormatTests.archiveWithNib.get().encoded()
    let tables = try ArchiveFormat.decode(bytes)
    #expect(ArchiveFormat.encode(tables) == bytes)
    #expect(ArchiveFormat.encode(tables.frozen()) == bytes)
  }

  @Test func everyTableHasANameAndTheSizeOfItsEntries() {
    #expect(Set(ArchiveTables.tableNames).count == ArchiveTables.entryBytes.count)
    #expect(zip(ArchiveTables.tableNames, ArchiveTables.entryBytes).contains { $0 == ("literals", 1) })
    #expect(
      zip(ArchiveTables.tableNames, ArchiveTables.entryBytes).contains {
        $0 == ("kinds", MemoryLayout<KindEntry>.stride)
      })
    for (name, size) in zip(ArchiveTables.tableNames, ArchiveTables.entryBytes) where size > 1 {
      #expect(size % 4 == 0, "\(name) has entries of other things than words")
    }
  }
}
