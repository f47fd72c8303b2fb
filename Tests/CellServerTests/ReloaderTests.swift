import CellServer
import CellTemplates
import Synchronization
import Testing

@testable import Cells

/// Attempts to reload the cells: one at a time, and the outcome of each.
@Suite struct ReloaderTests {
  struct Broken: Error {}

  /// The next result of `load`, and what was reported.
  final class Script: Sendable {
    let next: Mutex<CellArchive?>
    let loads = Atomic<Int>(0)
    let running = Atomic<Int>(0)
    let gate = Gate()
    let reports = Mutex<[String]>([])

    init(_ archive: CellArchive?) { next = Mutex(archive) }

    func load(waits: Bool) throws -> CellArchive {
      #expect(running.add(1, ordering: .relaxed).newValue == 1, "two attempts at once")
      defer { running.subtract(1, ordering: .relaxed) }
      loads.add(1, ordering: .relaxed)
      if waits { gate.pass() }
      guard let archive = next.withLock({ $0 }) else { throw Broken() }
      return archive
    }

    func note(_ outcome: ArchiveReloader.Outcome) {
      reports.withLock { reports in
        switch outcome {
        case .adopted(let archive, _): reports.append("adopted " + archive.hash)
        case .unchanged: reports.append("unchanged")
        case .refused(let error): reports.append("refused \(error)")
        }
      }
    }
  }

  private static func reloader(
    _ target: LiveTarget, _ script: Script, _ statistics: ReloadStatistics, waits: Bool = false
  ) throws -> ArchiveReloader {
    try ArchiveReloader(
      server: target.server, serving: ReloadLiveTests.archive("old"), statistics: statistics,
      load: { try script.load(waits: waits) }, report: { outcome, _ in script.note(outcome) })
  }

  @Test func aFailureKeepsTheServedCells() async throws {
    let target = try ReloadLiveTests.target()
    let statistics = ReloadStatistics()
    let new = try ReloadLiveTests.archive("new")
    let script = Script(nil)
    let reloader = try Self.reloader(target, script, statistics)
    let steps: [(archive: CellArchive?, report: String, served: String)] = [
      (nil, "refused Broken()", "old"), (try ReloadLiveTests.archive("old"), "unchanged", "old"),
      (new, "adopted \(new.hash)", "new"), (nil, "refused Broken()", "new"), (new, "unchanged", "new"),
    ]
    for (number, step) in steps.enumerated() {
      script.next.withLock { $0 = step.archive }
      reloader.request()
      #expect(await Patience.eventually { script.reports.withLock(\.count) == number + 1 })
      #expect(script.reports.withLock { $0.last } == step.report)
      let answer = try await target.send(.post("/cells/note", ReloadLiveTests.rows(1)))
      #expect(answer.text == ReloadLiveTests.rendered(step.served, 0))
      #expect(target.server.isReady)
    }
    #expect(statistics.successes == 3 && statistics.failures == 2)
  }

  /// Schemas show rows of samples, which no row is rendered by.
  @Test func newSampleRowsAreAdopted() async throws {
    let target = try ReloadLiveTests.target()
    let script = Script(nil)
    let reloader = try Self.reloader(target, script, ReloadStatistics())
    let note = TemplateSource(
      file: "note.mustache", kind: "note", mode: .html, bytes: Array("<p>{{a}}</p>".utf8))
    for (number, word) in ["one", "two", "two"].enumerated() {
      let rows = Array(#"[{"a":"\#(word)"}]"#.utf8)
      let archive = try TemplateCompiler.compile(
        [note], samples: ["note": try #require(SampleLearner.types(of: rows))]
      ).archive
      script.next.withLock { $0 = archive }
      reloader.request()
      #expect(await Patience.eventually { script.reports.withLock(\.count) == number + 1 })
      #expect(script.reports.withLock { $0.last } == (number < 2 ? "adopted \(archive.hash)" : "unchanged"))
      #expect(try await target.send(.get("/schemas/note")).text.contains(#""examples":[{"a":"\#(word)"}]"#))
    }
  }

  @Test func aRequestDuringAnAttemptCausesAnother() async throws {
    let target = try ReloadLiveTests.target()
    let script = Script(try ReloadLiveTests.archive("old"))
    let reloader = try Self.reloader(target, script, ReloadStatistics(), waits: true)
    reloader.request()
    #expect(await Patience.eventually { script.loads.load(ordering: .relaxed) == 1 })
    for _ in 0..<10 { reloader.request() }
    script.next.withLock { $0 = try? ReloadLiveTests.archive("new") }
    script.gate.open()
    #expect(await Patience.eventually { script.reports.withLock(\.count) >= 2 })
    // A third attempt would have started by now.
    try await Task.sleep(for: .milliseconds(200))
    #expect(script.loads.load(ordering: .relaxed) == 2)
    let answer = try await target.send(.post("/cells/note", ReloadLiveTests.rows(1)))
    #expect(answer.text == ReloadLiveTests.rendered("new", 0))
  }
}
