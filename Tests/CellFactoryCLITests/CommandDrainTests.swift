import Glibc
import Testing

/// The drain delay: the time for a load balancer to notice, between the signal and the stop.
@Suite struct CommandDrainTests {
  static func server(_ arguments: String...) throws -> ServeProcess {
    try ServeProcess("--drain-seconds", "120", more: ["--drain-delay-seconds", "60"] + arguments)
  }

  static func leave(_ server: ServeProcess) {
    server.process.send(SIGTERM)
    server.awaitLog("draining")
  }

  @Test func inTheDelayOnlyReadinessAndTheConnectionsLifeChange() throws {
    let server = try Self.server()
    let kept = try server.connect()
    func ask(_ connection: HTTPConnection) throws -> HTTPConnection.Answer {
      connection.send(ServeProcess.request("/cells/news", #"{"title":"a"}"#))
      guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: "news") }
      return answer
    }
    #expect(try ask(kept)["Connection"] == nil)
    Self.leave(server)
    #expect(try server.get("/readyz").status == 503)
    #expect(try server.get("/livez").status == 200)
    // On an existing connection and on new ones.
    for connection in [kept, try server.connect(), try server.connect()] {
      let answer = try ask(connection)
      #expect(answer.status == 200 && answer["Connection"] == "close")
      guard case .closed = connection.read() else {
        Issue.record("the connection stays")
        continue
      }
    }
    #expect(server.process.wait(seconds: 0) == nil)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func anotherSignalEndsTheDelayAndAThirdTheWait(_ signal: Int32) throws {
    let server = try Self.server("--body-seconds", "120")
    let connection = try CommandStopTests.begin(server)
    #expect(try server.get("/livez").status == 200)
    Self.leave(server)
    let start = Clock.seconds
    server.process.send(signal)
    server.awaitLog("stopping")
    #expect(server.process.wait(seconds: 0.3) == nil, "a request is in flight")
    server.process.send(signal)
    #expect(server.process.wait() == 1)
    #expect(Clock.seconds - start < 30)
    connection.reset()
  }

  @Test func controlCDoesNotWait() throws {
    let server = try Self.server()
    #expect(server.end(by: SIGINT) < 30, "half of the delay")
  }

  @Test func theDelayIsAPartOfTheDrain() throws {
    let server = try ServeProcess(
      "--drain-seconds", "1.5", more: ["--drain-delay-seconds", "1", "--body-seconds", "120"])
    let connection = try CommandStopTests.begin(server)
    #expect(try server.get("/livez").status == 200)
    #expect((1.4..<30).contains(server.end(by: SIGTERM)))
    connection.reset()

    let refused = try run("serve", "--port", "0", "--drain-seconds", "1", "--drain-delay-seconds", "2")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--drain-delay-seconds (2.0)"))
  }

  /// Clients that have connected but are not yet accepted when draining starts.
  @Test func queuedClientsAreServed() throws {
    let server = try ServeProcess("--workers", "1", "--connections", "2", "--idle-seconds", "60")
    var busy = [try CommandStopTests.begin(server), try CommandStopTests.begin(server)]
    // Accepted by then: the server has room for only two.
    usleep(300_000)
    let waiting = try (0..<5).map { _ in try server.connect() }
    for connection in waiting { connection.send(ServeProcess.request("/cells/news", #"{"title":"w"}"#)) }
    server.process.send(SIGTERM)
    server.awaitLog("stopping")
    usleep(100_000)
    for connection in busy { connection.send("\"late\"}") }
    for connection in busy + waiting {
      guard case .answer(let answer) = connection.read() else {
        Issue.record("not answered")
        continue
      }
      #expect(answer.status == 200)
    }
    busy = []
    #expect(server.process.wait() == 0)
  }
}
