@testable import Cells
@testable import CellServer
@testable import CellTemplates
import Dispatch
import Glibc
import MadeUpLocales
import Testing

/// The service under test, in process or behind a socket.
protocol HTTPTarget: Sendable {
  func send(_ request: TestRequest) async throws -> TestResponse
  /// The bytes charged as in flight when no request is being processed; 0 if everything was released.
  func heldBytes() async -> Int
  /// Sets the state reported by `/readyz`.
  func setReady(_ isReady: Bool)
  var archiveHash: String { get }
}

/// The configuration of a target.
struct TargetSetup: Sendable {
  var templates = ServiceTemplates.all
  /// What `formats.json` says.
  var formats = "{}"
  /// Files that nibs may link to, by path.
  var files: [String: String] = [:]
  var assetsURL: String?
  /// A text that everything begins with that locales print of their own.
  var madeUpLocale: String?
  /// The locales that cells are offered in, besides English.
  var locales = ""
  var service = RowSettings()
  var server: ServerSettings = {
    var server = ServerSettings(address: ServerAddress(host: "127.0.0.1", port: 0), workers: 1)
    // Longer than any test, because a busy machine may stall for seconds. Tests of deadlines set their own.
    (server.headSeconds, server.bodySeconds, server.idleSeconds) = (120, 120, 120)
    // Two turns that a busy machine holds up would refuse the requests behind them. Tests of overload set their own.
    server.queueSeconds = 0
    return server
  }()
  var reuse = ReusePolicy()
  var documents = ArchiveDocuments()
  var onUnknownKind: (@Sendable (String) -> Void)?

  func archive() throws -> CellArchive {
    let nibs = templates.filter { $0.key.hasSuffix(".html") }.map { file, text in
      TemplateSource(file: file, kind: String(file.dropLast(5)), mode: .html, bytes: Array(text.utf8))
    }
    let sources = templates.filter { !$0.key.hasSuffix(".html") }.map { file, text in
      let isText = file.hasSuffix(".txt.mustache")
      return TemplateSource(
        file: file, kind: String(file.dropLast(isText ? 13 : 9)), mode: isText ? .text : .html,
        bytes: Array(text.utf8))
    }
    var options = AssetOptions()
    options.url = assetsURL
    let files = files
    let assets = NibFiles { path throws(NibFiles.Fault) in
      guard let text = files[path] else { throw .missing }
      return Array(text.utf8)
    }
    let names = try FormatsFile.read(Array(formats.utf8), file: "formats.json", budget: LoadBudget())
    let made = try TemplateCompiler.compile(
      sources, nibs: nibs, assets: AssetSource(files: assets, options),
      with: TemplateSettings(formats: names, locales: OfferedLocales(standard: "en", others: locales))
    ).archive
    guard let madeUpLocale else { return made }
    var tables = try ArchiveFormat.decode(made.encoded())
    tables.pack = MadeUpLocale.pack(tables.pack, printing: madeUpLocale)
    return try CellArchive(decoding: ArchiveFormat.encode(tables))
  }
}

/// The two ways in which every test reaches the service: in process, and through a server on a free port.
enum Way: CaseIterable, Sendable {
  case inProcess, live

  func target(_ change: (inout TargetSetup) -> Void = { _ in }) throws -> any HTTPTarget {
    var setup = TargetSetup()
    change(&setup)
    switch self {
    case .inProcess: return try InProcessTarget(setup)
    case .live: return try LiveTarget(setup)
    }
  }
}

struct InProcessTarget: HTTPTarget {
  private let server: InProcessServer
  private let readiness = Readiness()
  let archiveHash: String

  init(_ setup: TargetSetup) throws {
    let archive = try setup.archive()
    archiveHash = archive.hash
    readiness.set(true)
    let service = CellService(
      settings: setup.service, readiness: readiness, metrics: setup.server.metrics,
      documents: setup.documents, onUnknownKind: setup.onUnknownKind)
    server = try InProcessServer(settings: setup.server, handler: service) {
      CellFactory(archive: archive, reuse: setup.reuse, executor: $0)
    }
  }

  func send(_ request: TestRequest) async -> TestResponse {
    let answer = await server.respond(
      to: InProcessRequest(
        exactly: request.method, request.target,
        headers: [("Host", "localhost")] + request.headers + request.framing, pieces: request.pieces))
    return TestResponse(
      status: answer.status, headers: answer.headers, body: answer.body, isComplete: answer.isComplete)
  }

  func heldBytes() async -> Int { await server.heldBytes() }
  func setReady(_ isReady: Bool) { readiness.set(isReady) }
}

/// A server on a free port, stopped in `deinit`. Each request uses its own connection.
final class LiveTarget: HTTPTarget {
  struct NoAnswer: Error {}

  let server: Server
  let port: Int
  let archiveHash: String
  private let readiness = Readiness()

  init(_ setup: TargetSetup) throws {
    let archive = try setup.archive()
    let reuse = setup.reuse
    archiveHash = archive.hash
    let service = CellService(
      settings: setup.service, readiness: readiness, metrics: setup.server.metrics,
      documents: setup.documents, onUnknownKind: setup.onUnknownKind)
    server = Server(settings: setup.server, readiness: readiness, handler: service) {
      CellFactory(archive: archive, reuse: reuse, executor: $0)
    }
    port = try server.start().port
  }

  deinit {
    server.stop()
    server.wait()
  }

  var client: TransportTestClient { TransportTestClient(port: port) }

  /// The client blocks, so it runs on a thread outside the pool that runs the tests.
  func send(_ request: TestRequest) async throws -> TestResponse {
    let port = port
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        let client = TransportTestClient(port: port)
        client.send(request.wire)
        if let answer = client.readAnswer(toHead: request.method == "HEAD") {
          continuation.resume(returning: TestResponse(answer))
        } else {
          continuation.resume(throwing: NoAnswer())
        }
      }
    }
  }

  /// The worker counts on its own thread, and an answer is released only after it was read.
  func heldBytes() async -> Int {
    let end = MonotonicSeconds.now + Patience.seconds
    while held != 0, MonotonicSeconds.now < end { try? await Task.sleep(for: .milliseconds(5)) }
    return held
  }

  private var held: Int { server.statistics.map(\.heldBytes).reduce(0, +) }

  /// Waits until no connection is open and nothing is held.
  func isIdle() async -> Bool {
    await eventually { $0.connections == 0 && $0.inFlight == 0 && $0.heldBytes == 0 }
  }

  /// Waits until the condition holds for every worker; returns false on timeout.
  func eventually(_ condition: (WorkerStatistics) -> Bool) async -> Bool {
    await Patience.eventually { server.statistics.allSatisfy(condition) }
  }

  func setReady(_ isReady: Bool) { readiness.set(isReady) }
}

extension TestResponse {
  init(_ answer: TransportTestClient.Answer) {
    self.init(
      status: answer.status, headers: answer.headers, body: answer.body, isComplete: answer.isComplete)
  }
}
