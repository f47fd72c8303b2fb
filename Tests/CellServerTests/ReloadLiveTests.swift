import CellServer
import CellTemplates
import Cells
import Glibc
import Synchronization
import Testing

/// Cells are replaced while requests are answered: each answer comes from one archive, from its header to its
/// last row.
@Suite struct ReloadLiveTests {
  /// Two versions whose cells print their version. The numbers of kinds and names differ between them.
  static func templates(_ version: String) -> [String: String] {
    var templates = [
      "note.mustache": "<p>\(version) {{title}}{{#tags}}<i>{{.}}</i>{{/tags}} {{>part}}</p>",
      "part.mustache": "<b>\(version)</b>",
    ]
    if version == "old" {
      templates["a/first.mustache"] = "{{aaa}}{{bbb}}{{ccc}}"
    } else {
      templates["z.mustache"] = "{{zzz}}"
      templates["note.mustache"]! += "<u>{{after}}</u>"
    }
    return templates
  }

  static func archive(_ version: String) throws -> CellArchive {
    var setup = TargetSetup()
    setup.templates = templates(version)
    return try setup.archive()
  }

  /// The output of a row; `tail` distinguishes rows.
  static func rendered(_ version: String, _ position: Int) -> String {
    let tail = version == "old" ? "" : "<u></u>"
    return "<p>\(version) \(position)<i>x</i> <b>\(version)</b></p>\(tail)"
  }

  static func rows(_ count: Int) -> String {
    "[" + (0..<count).map { #"{"title":"\#($0)","tags":["x"]}"# }.joined(separator: ",") + "]"
  }

  static func target(_ change: (inout TargetSetup) -> Void = { _ in }) throws -> LiveTarget {
    var setup = TargetSetup()
    setup.templates = templates("old")
    change(&setup)
    return try LiveTarget(setup)
  }

  /// Answers that take many slices, after the head and before it.
  static let ways: [(String, @Sendable (inout TargetSetup) -> Void)] = [
    ("in one go", { _ in }),
    (
      "streamed",
      {
        $0.service.sliceMicroseconds = 0; $0.service.completeBytes = 2000
      }
    ),
    ("made in slices", { $0.service.sliceMicroseconds = 0 }),
    (
      "read in slices",
      {
        $0.service.sliceMicroseconds = 0; $0.service.sliceBodyBytes = 1000
      }
    ),
    (
      "read in slices and streamed",
      {
        $0.service.sliceMicroseconds = 0; ($0.service.sliceBodyBytes, $0.service.completeBytes) = (1000, 2000)
      }
    ),
  ]

  /// Each archive that clients still take answers of takes memory.
  @Test func aClientMayTakeItsAnswerThroughTwoReloads() async throws {
    let target = try StreamLiveTests.target()
    let archives = try ["1", "2"].map { text in
      var setup = TargetSetup()
      setup.templates["other.mustache"] = text
      return try setup.archive()
    }
    let clients = [StreamLiveTests.begun(target), StreamLiveTests.begun(target)]
    for number in 0..<2 { await target.server.adopt(archives[number % 2]) }
    usleep(1_200_000)
    let answer = clients[0].readAnswer()
    #expect(answer?.isComplete == true && answer?.body.count == StreamLiveTests.bodyBytes)
    let later = StreamLiveTests.begun(target)
    await target.server.adopt(archives[0])
    #expect(await target.eventually { $0.cuts == 1 })
    #expect(clients[1].readAnswer()?.isComplete != true)
    let last = later.readAnswer()
    #expect(last?.isComplete == true && last?.body.count == StreamLiveTests.bodyBytes)
    #expect(target.server.statistics[0].cuts == 1)
    #expect(await target.heldBytes() == 0)
  }

  @Test func anAnswerThatTakesLongToMakeIsGivenUpAtTheThirdReload() async throws {
    // Takes minutes, in slices.
    let slow = "{{#l}}{{#l}}" + String(repeating: "{{#a}}z{{/a}}", count: 300) + "{{/l}}{{/l}}"
    let target = try Self.target { $0.templates["slow.mustache"] = slow }
    let archives = [try Self.archive("new"), try Self.archive("old")]
    let client = target.client
    client.send(
      TestRequest.post(
        "/cells/slow", #"{"l":["# + Array(repeating: "1", count: 3000).joined(separator: ",") + "]}"
      ).wire)
    #expect(await target.eventually { $0.inFlight == 1 })
    for number in 0..<2 { await target.server.adopt(archives[number]) }
    usleep(300_000)
    #expect(target.server.statistics[0].inFlight == 1)
    await target.server.adopt(archives[0])
    let answer = client.readAnswer()
    #expect(answer?.status == 503)
    #expect(answer?["retry-after"] == "1")
    #expect(answer?.text.contains("the cells were loaded anew several times") == true)
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: ways.map(\.0))
  func everyAnswerIsOfOneArchive(_ way: String) async throws {
    let target = try Self.target { setup in
      Self.ways.first { $0.0 == way }!.1(&setup)
      setup.server.workers = 2
    }
    let archives = [try Self.archive("new"), try Self.archive("old")]
    let versions = [archives[0].hash: "new", archives[1].hash: "old"]
    let requests: [(TestRequest, Int)] = [
      (.post("/cells/note", Self.rows(1500)), 1500),
      (.post("/cells/note?missing=error&on_error=skip", Self.rows(400)), 400),
      (
        .ndjson("/cells/note", (0..<900).map { #"{"title":"\#($0)","tags":["x"]}"# }.joined(separator: "\n")),
        900
      ),
      (
        .post(
          "/cells",
          "["
            + (0..<700).map { #"{"kind":"note","data":{"title":"\#($0)","tags":["x"]}}"# }.joined(
              separator: ",")
            + "]"), 700
      ),
      (.post("/cells/note", Self.rows(1)), 1),
    ]
    let archivesInTurn = Turns(archives, on: target.server)
    try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for number in 0..<3 {
        group.addTask {
          var seen: Set<String> = []
          for turn in 0..<16 {
            let (request, count) = requests[(turn + number) % requests.count]
            let answer = try await target.send(request)
            #expect(answer.status == 200 && answer.isComplete)
            let version = try #require(versions[answer["CellFactory-Archive"] ?? ""])
            if request.target.contains("missing=error"), version == "new" {
              #expect(answer.text == "", "every row lacks a name")
            } else {
              let expected = (0..<count).map { Self.rendered(version, $0) }.joined()
              #expect(answer.text == expected, "\(request.target): \(version)")
            }
            seen.insert(version)
          }
          return seen
        }
      }
      var seen: Set<String> = []
      for _ in 0..<3 { seen.formUnion(try await group.next() ?? []) }
      // A busy machine may adopt one of them only now.
      let end = MonotonicSeconds.now + Patience.seconds
      while seen.count < 2, MonotonicSeconds.now < end {
        let answer = try await target.send(.post("/cells/note", Self.rows(1)))
        seen.insert(try #require(versions[answer["CellFactory-Archive"] ?? ""]))
      }
      archivesInTurn.end()
      #expect(seen == ["old", "new"])
    }
    #expect(await target.heldBytes() == 0)
  }

  /// Adopts the same cells again, so that only the server holds them.
  static func adoptOld(_ target: LiveTarget) async throws -> WeakArchive {
    let archive = try archive("old")
    await target.server.adopt(archive)
    return WeakArchive(archive)
  }

  @Test func aStreamKeepsTheArchiveItBeganWithAndFreesIt() async throws {
    let target = try Self.target()
    let old = try await Self.adoptOld(target)
    let rows = 400_000
    let client = StreamLiveTests.begun(target, .post("/cells/note", Self.rows(rows)))
    await target.server.adopt(try Self.archive("new"))
    #expect(try await target.send(.post("/cells/note", Self.rows(1))).text == Self.rendered("new", 0))
    #expect(old.archive != nil, "the stream holds it")
    let answer = try #require(client.readAnswer())
    #expect(answer.isComplete)
    #expect(answer["CellFactory-Archive"] == target.archiveHash)
    #expect(answer.text.hasSuffix(Self.rendered("old", rows - 1)))
    #expect(!answer.text.contains("new"))
    #expect(await Patience.eventually { old.archive == nil }, "nobody holds it any more")
  }

  @Test func anUnusedArchiveIsFreedAtOnce() async throws {
    let target = try Self.target { $0.server.workers = 3 }
    for _ in 0..<20 { _ = try await target.send(.post("/cells/note", Self.rows(3))) }
    let old = try await Self.adoptOld(target)
    await target.server.adopt(try Self.archive("new"))
    #expect(await Patience.eventually { old.archive == nil })
    #expect(
      try await target.send(.post("/cells/note", Self.rows(2))).text == Self.rendered("new", 0)
        + Self.rendered("new", 1))
    #expect(try await target.send(.get("/kinds/z")).status == 200)
    #expect(try await target.send(.get("/kinds/a/first")).status == 404)
  }
}

/// Makes a server adopt one archive after another, every few milliseconds.
private final class Turns: Sendable {
  private let task: Task<Void, Never>

  init(_ archives: [CellArchive], on server: Server) {
    task = Task.detached {
      var turn = 0
      while !Task.isCancelled {
        await server.adopt(archives[turn % archives.count])
        turn += 1
        try? await Task.sleep(for: .milliseconds(3))
      }
    }
  }

  func end() { task.cancel() }

  deinit { task.cancel() }
}

/// An archive that the test does not retain.
final class WeakArchive: Sendable {
  private let reference: Mutex<Weak>
  private struct Weak { weak var archive: CellArchive? }

  init(_ archive: CellArchive) { reference = Mutex(Weak(archive: archive)) }

  var archive: CellArchive? { reference.withLock { $0.archive } }
}
