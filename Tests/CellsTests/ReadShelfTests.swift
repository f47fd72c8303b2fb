import CellTemplates
import Testing

@testable import Cells

/// What is kept of the names that kinds read is bounded, and freed in parts.
@Suite struct ReadShelfTests {
  /// Kinds `k0`, `k1` and so on, which read some names each.
  private static func archive(kinds: Int, names: Int) throws -> CellArchive {
    var templates = ["all.mustache": (0..<names).map { "{{n\($0)}}" }.joined()]
    for number in 0..<kinds { templates["k\(number).mustache"] = "{{a}}{{>all}}" }
    return try RenderHarness.archive(templates)
  }

  private static func states(
    _ kind: Int, _ shelf: ReadShelf, _ archive: CellArchive, _ names: JSONNames
  ) throws -> ReadStates {
    shelf.states(of: try #require(archive.kindNumber("k\(kind)")), in: archive, names: names)
  }

  @Test func onlyTheFirstMakeRoom() throws {
    let (archive, shelf) = (try Self.archive(kinds: 65, names: 10), ReadShelf())
    let names = JSONNames(of: archive)
    let made = try (0..<64).map { try Self.states($0, shelf, archive, names) }
    for number in 0..<64 { #expect(try Self.states(number, shelf, archive, names) === made[number]) }
    _ = try Self.states(64, shelf, archive, names)
    for number in 1..<64 { #expect(try Self.states(number, shelf, archive, names) === made[number]) }
    #expect(try Self.states(0, shelf, archive, names) !== made[0])
  }

  @Test func largeKindsMakeRoomSooner() throws {
    let (archive, shelf) = (try Self.archive(kinds: 64, names: 2000), ReadShelf())
    let names = JSONNames(of: archive)
    for number in 0..<64 {
      _ = try Self.states(number, shelf, archive, names)
      // What was there before, and one more kind.
      #expect(shelf.size <= 70_000)
    }
    let last = try Self.states(63, shelf, archive, names)
    #expect(try Self.states(63, shelf, archive, names) === last)
  }

  /// Members that rows are asked about are remembered, whether they are read or not.
  @Test func whatIsLearntCounts() throws {
    let (archive, shelf) = (try Self.archive(kinds: 1, names: 1000), ReadShelf())
    let names = JSONNames(of: archive)
    let states = try Self.states(0, shelf, archive, names)
    let before = shelf.size
    for number in 0..<UInt32(archive.tables.$names.count) { _ = states.readsMember(number) }
    #expect(shelf.size >= before + 1000)
  }

  @Test func retiredOnesAreFreedOneByOne() throws {
    let (archive, names) = (try Self.archive(kinds: 3, names: 10), 0..<3)
    let (retired, shelf) = (RetiredShelves(), ReadShelf())
    var begins = 0
    retired.begin = { begins += 1 }
    retired.add(ReadShelf())
    #expect(begins == 0)
    let table = JSONNames(of: archive)
    for number in names { _ = try Self.states(number, shelf, archive, table) }
    retired.add(shelf)
    #expect(begins == 1)
    #expect(retired.freeOne() && retired.freeOne() && !retired.freeOne() && !retired.freeOne())
    #expect(shelf.isEmpty && shelf.size == 0)
  }

  /// After another archive is adopted, the factory frees them by itself.
  @Test func theFactoryFreesThem() async throws {
    var archive: CellArchive? = try Self.archive(kinds: 20, names: 10)
    weak let old = archive
    let factory = CellFactory(archive: archive!)
    archive = nil
    for kind in UInt32(0)..<20 { #expect(await factory.kind(kind, readsMember: "n0")) }
    await factory.adopt(try Self.archive(kinds: 1, names: 1))
    // A job for each kind, and one more.
    for _ in 0..<1000 where old != nil { _ = await factory.archiveHash }
    #expect(old == nil)
  }
}
