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

  struct Reading: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isTooLarge: Bool
    let template: String

    init(_ name: String, isTooLarge: Bool, _ template: String) {
      testDescription = name
      self.isTooLarge = isTooLarge
      self.template = template
    }
  }

  private static let readings = [
    Reading(
      "parts without names, and names", isTooLarge: false,
      "{{#q}}\(times(8000, "{{@index}}"))\(times(100, "{{.}}"))\(times(9, "{{n}}")){{/q}}"),
    Reading("names of loops", isTooLarge: true, "{{#q}}\(times(8300, "{{@index}}")){{/q}}"),
    Reading("items", isTooLarge: true, "{{#q}}\(times(8300, "{{.}}")){{/q}}"),
    Reading("blocks", isTooLarge: true, "{{#q}}\(times(8300, "{{$b}}{{/b}}")){{/q}}"),
    Reading(
      "30 calls of anything in 150 sections", isTooLarge: false,
      times(150, "{{#.}}") + times(30, "{{>*.}}") + times(150, "{{/.}}")),
    Reading(
      "60 calls of anything in 150 sections", isTooLarge: true,
      times(150, "{{#.}}") + times(60, "{{>*.}}") + times(150, "{{/.}}")),
    Reading("long names of 1.5 MiB", isTooLarge: false, times(6, "{{\(times(1 << 18, "a"))}}")),
    Reading("long names of 2.25 MiB", isTooLarge: true, times(9, "{{\(times(1 << 18, "a"))}}")),
  ]

  /// Parts that add no names, and the bytes of names, take time as well: each kind is read within a turn of an event loop.
  @Test(arguments: readings)
  func readingAKindIsBounded(_ reading: Reading) throws {
    let archive = try RenderHarness.archive(["k.mustache": reading.template])
    let read = ReadNames(
      of: try #require(archive.kindNumber("k")), in: archive, names: JSONNames(of: archive))
    #expect(read.isTooLarge == reading.isTooLarge)
  }

  private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

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
