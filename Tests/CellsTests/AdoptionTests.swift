import CellTemplates
import Testing

@testable import Cells

/// A factory that switches to another archive.
@Suite struct AdoptionTests {
  private static func archive(_ templates: [String: String]) throws -> CellArchive {
    let folder = try TemporaryFolder(templates)
    return try withExtendedLifetime(folder) { try CellArchive.compiling(folder: folder.path) }
  }

  @Test func nothingOfTheOldArchiveIsSeenInTheNew() async throws {
    let factory = CellFactory(
      archive: try Self.archive(["a.mustache": "<p>{{x}}{{y}}</p>", "b.mustache": "<b>{{z}}</b>"]))
    let rows = #"[{"x":1,"y":2,"z":3},{"x":4,"y":5,"z":6}]"#
    #expect(try await factory.render("a", rows: rows) == ["<p>12</p>", "<p>45</p>"])
    #expect(try await factory.render("b", rows: rows) == ["<b>3</b>", "<b>6</b>"])
    let hash = await factory.archiveHash
    // The numbers of names and kinds differ, and one kind is missing.
    await factory.adopt(try Self.archive(["a.mustache": "<i>{{y}}{{z}}</i>", "0.mustache": "{{q}}{{x}}"]))
    #expect(await factory.archiveHash != hash)
    #expect(try await factory.render("a", rows: rows) == ["<i>23</i>", "<i>56</i>"])
    #expect(try await factory.render("0", rows: rows) == ["1", "4"])
    await #expect(throws: CellError.unknownKind("b")) { try await factory.render("b", rows: rows) }
  }

  @Test func theOldArchiveIsFreedAndTheCountsGoOn() async throws {
    var archive: CellArchive? = try Self.archive(["a.mustache": "<p>{{x}}</p>"])
    weak let old = archive
    let factory = CellFactory(archive: archive!)
    archive = nil
    for _ in 0..<3 { _ = try await factory.render("a", rows: "{}") }
    #expect(await factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 1, evictions: 0, held: 1))
    await factory.adopt(try Self.archive(["a.mustache": "<p>{{y}}</p>"]))
    #expect(old == nil)
    #expect(await factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 1, evictions: 0, held: 0))
    _ = try await factory.render("a", rows: "{}")
    #expect(await factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 2, evictions: 0, held: 1))
  }

  /// A request that is answered in slices continues with cells of the old archive while others use the new
  /// one.
  @Test func theCountsOfBothArchivesAreOne() throws {
    let (old, new) = (try Self.archive(["a.mustache": "1"]), try Self.archive(["a.mustache": "2"]))
    let factory = CellFactory(archive: old, reuse: ReusePolicy(), executor: InlineExecutor())
    factory.assumeIsolated { factory in
      factory.enqueue(factory.dequeueReusableCell(ofKind: 0))
      do {
        let kept = factory.keepRows()
        factory.adopt(new)
        factory.enqueue(factory.dequeueReusableCell(ofKind: 0))
        factory.exchangeRows(with: kept)
        for _ in 0..<2 { factory.enqueue(factory.dequeueReusableCell(ofKind: 0)) }
        #expect(factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 2, evictions: 0, held: 2))
        factory.exchangeRows(with: kept)
        #expect(factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 2, evictions: 0, held: 2))
      }
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 2, misses: 2, evictions: 0, held: 1))
    }
  }
}
