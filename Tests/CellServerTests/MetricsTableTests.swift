import CellTemplates
import Cells
import Testing

@testable import CellServer

/// How events are counted: buckets, statuses, routes, and which kinds have a label.
@Suite struct MetricsTableTests {
  static let buckets: [(nanoseconds: Int, bucket: Int)] = [
    (0, 0), (10_000, 0), (10_001, 1), (25_000, 1), (50_000, 2), (50_001, 3), (1_000_000, 6), (1_000_001, 7),
    (10_000_000_000, 18), (10_000_000_001, 19), (.max, 19), (-5, 0),
  ]

  @Test func aDurationFallsIntoTheBucketThatEndsWithIt() {
    let histograms = HistogramTable(count: 2)
    for (nanoseconds, bucket) in Self.buckets where nanoseconds < .max {
      let before = histograms.count(in: bucket, of: 1)
      histograms.observe(nanoseconds: nanoseconds, in: 1)
      #expect(histograms.count(in: bucket, of: 1) == before + 1, "\(nanoseconds)")
    }
    #expect(HistogramTable.bucket(of: .max) == 19)
    let bounds = (0..<HistogramTable.bounds.count).map { HistogramTable.bounds[$0] }
    #expect(bounds == bounds.sorted())
    #expect(HistogramTable.bucketCount == HistogramTable.bounds.count + 1)
    #expect(histograms.sum(of: 1) == Self.buckets.dropLast(2).reduce(0) { $0 + $1.nanoseconds })
    #expect((0..<HistogramTable.bucketCount).allSatisfy { histograms.count(in: $0, of: 0) == 0 })
  }

  @Test func everyStatusHasItsPlace() {
    #expect(StatusLabel.statuses.count == StatusLabel.count)
    for (position, status) in StatusLabel.statuses.enumerated() {
      #expect(StatusLabel.position(of: status) == position)
    }
    for code in Problem.Code.allCases {
      #expect(
        StatusLabel.statuses[StatusLabel.position(of: code.status)] == code.status, "\(code) is counted as 0")
    }
    #expect(StatusLabel.statuses[StatusLabel.position(of: 999)] == 0)
    let sent = Set(Problem.Code.allCases.map(\.status) + [200, 204, 304, 0])
    #expect(sent == Set(StatusLabel.statuses), "a status has a place that no answer has")
  }

  static let routes = Metrics().routes

  @Test func routesThatNameAKindComeFirst() {
    let routes = Self.routes
    #expect(routes.all.count == Endpoints.all.count + 2 && routes.count == routes.all.count)
    for route in routes.all {
      #expect(routes[route].namesKind == "\(routes[route].label)".hasSuffix("{kind}"), "\(route)")
    }
    #expect(
      routes.all.map { "\(routes[$0].label)" } == [
        "/cells/{kind}", "/kinds/{kind}", "/schemas/{kind}", "/cells", "/kinds", "/cells.js", "/cells.d.ts",
        "/styles.css",
        "/styles/{path}", "/assets/{path}", "/livez", "/readyz",
        "/metrics",
        "/openapi.json", "*", "other", "none",
      ])
  }

  @Test func everySubjectHasCountersOfItsOwn() {
    let statistics = WorkerStatistics(kinds: KindLabels(limit: 3), routes: Self.routes)
    var subjects: [RequestSubject] = []
    for route in Self.routes.all {
      let kinds = Self.routes[route].namesKind ? statistics.kinds.count : 1
      for kind in 0..<kinds { subjects.append(RequestSubject(route: route, kind: kind)) }
    }
    for (number, subject) in subjects.enumerated() {
      for status in StatusLabel.statuses {
        for _ in 0...(number % 3) {
          statistics.countRequest(subject, status: status, sentBytes: 1, nanoseconds: 1)
        }
      }
    }
    for (number, subject) in subjects.enumerated() {
      for position in 0..<StatusLabel.count {
        #expect(statistics.requests(for: subject, statusAt: position) == number % 3 + 1, "\(subject)")
      }
    }
  }

  static func archive(_ kinds: String...) throws -> CellArchive {
    try TemplateCompiler.compile(
      kinds.map {
        TemplateSource(file: $0 + ".mustache", kind: $0, mode: .html, bytes: Array("<p>\($0)</p>".utf8))
      }
    ).archive
  }

  static func labels(_ kinds: KindLabels, _ archive: CellArchive) -> [String] {
    let positions = kinds.positions(of: archive)
    return positions.map { Int($0) == kinds.other ? KindLabels.shared[0] : kinds.names[Int($0)] }
  }

  /// However small the pieces are, and whatever is counted in between.
  @Test func aReportIsTheSameInPieces() throws {
    let archive = try Self.archive("a", "b", "other", "c/e")
    let metrics = Metrics(version: "1", kindLimit: 3)
    _ = metrics.kinds.positions(of: archive)
    let workers = (0..<3).map { _ in metrics.addWorker() }
    for route in metrics.routes.all {
      for worker in workers {
        worker.countRequest(RequestSubject(route: route), status: 200, sentBytes: 1, nanoseconds: 1)
      }
    }
    func report(inPiecesOf bytes: Int) -> (lines: [Substring], pieces: Int) {
      var report = MetricsReport(of: metrics, archive: archive, documentBytes: 7, isReady: true)
      var (text, pieces, goesOn) = ("", 0, true)
      while goesOn {
        var output = ByteBuffer()
        goesOn = report.write(to: &output, bytes: bytes)
        text += output.description
        pieces += 1
      }
      // The process goes on.
      return (text.split(separator: "\n").filter { !$0.hasPrefix("process_") }, pieces)
    }
    let (whole, pieces) = report(inPiecesOf: 1 << 20)
    #expect(pieces == 1 && whole.contains("cellfactory_rows_rendered_total{kind=\"c/e\"} 0"))
    #expect(whole.count { $0.hasPrefix("cellfactory_loop_turn_duration_seconds_count") } == 3)
    for bytes in [1, 100, 5000] {
      let (lines, pieces) = report(inPiecesOf: bytes)
      #expect(lines == whole && pieces > 1)
    }
  }

  @Test func theFirstKindsHaveALabelAndTheRestAreOther() throws {
    let archive = try Self.archive("d", "b", "a", "c/e")
    #expect(Self.labels(KindLabels(limit: 100), archive) == ["a", "b", "c/e", "d"])
    #expect(Self.labels(KindLabels(limit: 3), archive) == ["a", "b", "c/e", "other"])
    #expect(Self.labels(KindLabels(limit: 0), archive) == ["other", "other", "other", "other"])
  }

  @Test func aReloadTakesNoLabelFromAKind() throws {
    let kinds = KindLabels(limit: 3)
    #expect(Self.labels(kinds, try Self.archive("b", "d")) == ["b", "d"])
    // One label is left, for the first of the new kinds.
    #expect(Self.labels(kinds, try Self.archive("a", "b", "c", "d")) == ["a", "b", "other", "d"])
    #expect(Self.labels(kinds, try Self.archive("c")) == ["other"])
    #expect(Self.labels(kinds, try Self.archive("b", "d")) == ["b", "d"])
    #expect(kinds.names == ["b", "d", "a"])
  }

  @Test func aKindThatIsNamedAsALabelIsCountedWithTheOthers() throws {
    let kinds = KindLabels(limit: 10)
    #expect(Self.labels(kinds, try Self.archive("other", "plain", "unknown")) == ["other", "plain", "other"])
    #expect(kinds.names == ["plain"])
  }

  @Test func aWorkerFollowsItsArchive() throws {
    let statistics = WorkerStatistics(kinds: KindLabels(limit: 2), routes: Self.routes)
    let (old, new) = (try Self.archive("b", "c"), try Self.archive("a", "b"))
    statistics.countRows(1, ofKind: 0, in: old)
    statistics.countRows(2, ofKind: 1, in: new)
    statistics.countRows(4, ofKind: 0, in: new)
    statistics.countRows(8, ofKind: 1, in: old)
    #expect((0..<4).map(statistics.rows(ofKindAt:)) == [3, 8, 4, 0])
  }

  @Test func reloadsAreCountedAndTheLastOneReported() {
    let reloads = ReloadStatistics()
    let loaded = reloads.lastSuccessNanoseconds
    #expect(reloads.lastWasSuccessful && reloads.successes == 0 && reloads.failures == 0)
    reloads.noteFailure(seconds: 0.25)
    #expect(!reloads.lastWasSuccessful && reloads.failures == 1)
    #expect(reloads.lastSuccessNanoseconds == loaded && reloads.lastDurationNanoseconds == 250_000_000)
    reloads.noteSuccess(seconds: 1.5)
    #expect(reloads.lastWasSuccessful && reloads.successes == 1 && reloads.failures == 1)
    #expect(reloads.lastSuccessNanoseconds > loaded && reloads.lastDurationNanoseconds == 1_500_000_000)
    for nonsense in [-1, .nan, .infinity] as [Double] { reloads.noteSuccess(seconds: nonsense) }
    #expect(reloads.lastDurationNanoseconds == 0)
  }
}
