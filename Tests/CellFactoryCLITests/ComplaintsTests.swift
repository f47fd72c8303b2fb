import CellServer
import Logging
import Synchronization
import Testing

@testable import CellFactoryCLI

/// Repeated log messages are collapsed into one line now and then, and all are counted.
@Suite struct ComplaintsTests {
  /// The logged lines, from all threads.
  private final class Lines: Sendable {
    private let lines = Mutex<[(message: String, suppressed: Int)]>([])

    var all: [(message: String, suppressed: Int)] { lines.withLock { $0 } }
    func add(_ message: String, suppressed: Int) { lines.withLock { $0.append((message, suppressed)) } }
  }

  private struct Handler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let lines: Lines

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let suppressed = event.metadata?["suppressed"].map { "\($0)" } ?? "0"
      lines.add("\(event.message)", suppressed: Int(suppressed) ?? -1)
    }
  }

  private let lines = Lines()

  private func complaints(every interval: Duration) throws -> Complaints {
    try Complaints(
      to: Logger(label: "test") { [lines] _ in Handler(lines: lines) }, on: ThreadQueue(named: "test"),
      every: interval)
  }

  @Test func oneOfManyIsLoggedAndTheOthersAreCountedLater() async throws {
    // As long as a busy machine may stall a test.
    let interval = Duration.seconds(2)
    let complaints = try complaints(every: interval)
    for _ in 0..<100 { complaints.report("a") }
    #expect(lines.all.map(\.message) == ["a"])
    let deadline = ContinuousClock.now + .seconds(60)
    while lines.all.count < 2, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
    #expect(lines.all.map(\.message) == ["a", "a, and more like it"])
    #expect(lines.all.map(\.suppressed) == [0, 99])
    try await Task.sleep(for: interval)
    complaints.report("a")
    #expect(lines.all.map(\.suppressed) == [0, 99, 0])
  }

  @Test func oneKindDoesNotHideAnother() throws {
    let complaints = try complaints(every: .seconds(3600))
    for _ in 0..<10 {
      complaints.report("a")
      complaints.report("b")
      complaints.report("b", number: 1)
    }
    #expect(lines.all.map(\.message) == ["a", "b", "b"])
  }

  @Test func kindsAreBounded() throws {
    let complaints = try complaints(every: .seconds(3600))
    for number in 0..<1000 { complaints.report("a", number: number) }
    #expect(lines.all.count == 65, "64 kinds, and all others")
  }

  @Test func metadataOfSuppressedLinesIsNotMade() throws {
    let complaints = try complaints(every: .seconds(3600))
    var made = 0
    for _ in 0..<10 {
      complaints.report("a") {
        made += 1
        return [:]
      }
    }
    #expect(made == 1)
  }
}
