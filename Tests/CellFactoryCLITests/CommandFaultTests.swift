import Glibc
import Testing

/// Behaviour when a system resource is exhausted.
@Suite struct CommandFaultTests {
  /// A request whose last byte is missing. The server has accepted it once `100 Continue` arrives.
  private static func begin(on server: ServeProcess) throws -> HTTPConnection {
    let connection = try server.connect()
    connection.send(
      "POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        + "Expect: 100-continue\r\n\r\n")
    return connection
  }

  /// The threads of the log, of documents, of four workers, and of the reloader.
  @Test(arguments: 1...7) func tooFewThreadsAreAnError(first: Int) throws {
    let outcome = try run(
      "serve", "--templates", Package.templates, "--port", "0", "--workers", "4",
      environment: Faults.environment(["FAULT_THREADS": first]))
    #expect(outcome.status == 1)
    #expect(outcome.text == "", "it does not say that it listens")
    #expect(outcome.errors.contains("error: cannot start the thread "), "\(outcome.errors)")
    for advice in ["ulimit -u", "ulimit -v", "--workers"] { #expect(outcome.errors.contains(advice)) }
  }

  /// The soft limit alone, which the process may raise.
  @Test func aSmallStackIsMadeLarger() throws {
    let check = try CommandProcess(["check", Package.templates], limits: ["-S -s": 64])
    #expect(check.wait() == 0, "\(check.errorText)")
    let server = try ServeProcess(limits: ["-S -s": 64])
    #expect(try server.post("/cells/news", "{}").status == 200)
    _ = server.end(by: SIGTERM)
  }

  /// With less than some 20 kB, the loader itself fails.
  @Test(arguments: [64, 256, 1023]) func aStackThatIsTooSmallIsAnError(kilobytes: Int) throws {
    let process = try CommandProcess(["check", Package.templates], limits: ["-s": kilobytes])
    #expect(process.wait() == 1)
    #expect(
      process.errorText
        == "error: the stack is limited to \(kilobytes) kB; allow 1024 kB or more (ulimit -s)\n")
    #expect(process.outputText == "")
  }

  @Test func asManyThreadsAsThereAreWorkersAndThreeAreEnough() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    let server = try ServeProcess(
      "--workers", "4", "--templates", folder.path, environment: Faults.environment(["FAULT_THREADS": 8]))
    // Documents are made on a thread that exists.
    for path in ["/kinds", "/openapi.json", "/schemas/a", "/livez"] {
      #expect(try server.get(path).status == 200, "\(path)")
    }
    // So are other archives adopted.
    try folder.write("a.mustache", Array("<p>2</p>".utf8))
    server.process.send(SIGHUP)
    server.awaitLog("reloaded")
    #expect(try server.post("/cells/a", "{}").text == "<p>2</p>")
    _ = server.end(by: SIGTERM)
  }

  @Test func connectionsThatTheLibraryRefusesAreCountedOutOnce() throws {
    let server = try ServeProcess(
      "--workers", "1", "--connections", "4", environment: Faults.environment(["FAULT_EPOLL_ADD": 5]))
    for _ in 0..<5 {
      let refused = try server.connect()
      switch refused.read() {
      case .closed, .reset: break
      case let other: Issue.record("a connection was to be refused, and not \(other)")
      }
    }
    let open = try (0..<4).map { _ in try Self.begin(on: server) }
    for connection in open {
      guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: "POST") }
      #expect(answer.status == 100)
    }
    let fifth = try Self.begin(on: server)
    usleep(300_000)
    #expect(fifth.isSilent, "the limit of 4 is kept")
    open[0].send("{}")
    #expect(Self.isAnswered(open[0], with: 200))
    open[0].reset()
    guard case .answer(let answer) = fifth.read() else { throw ServeProcess.NoAnswer(request: "POST") }
    #expect(answer.status == 100)
  }

  private static func isAnswered(_ connection: HTTPConnection, with status: Int) -> Bool {
    if case .answer(let answer) = connection.read() { answer.status == status } else { false }
  }

  @Test func tooFewFilesForOneConnectionAreAnError() throws {
    let process = try CommandProcess(
      ["serve", "--templates", Package.templates, "--port", "0", "--workers", "2"], limits: ["-n": 10])
    #expect(process.wait() == 1)
    #expect(process.outputText == "", "it does not say that it listens")
    #expect(process.errorText.contains("ulimit -n"), "\(process.errorText)")
  }

  /// More connections than file descriptors, all inactive: the server continues to serve, logs the problem,
  /// closes the longest idle connections for others, and stops normally.
  @Test func whenFilesHaveRunOutTheLongestIdleMakeRoom() throws {
    let server = try ServeProcess("--workers", "2", limits: ["-n": 100])
    server.awaitLog("the limit of open files is too low")
    let idle = try (0..<150).map { _ in try server.connect() }
    // The second error within a second needs a timer.
    for connection in idle.prefix(4) { connection.send("GET /cells/nope HTTP/1.1\r\nHost: a\r\n\r\n") }
    for connection in idle.prefix(4) { #expect(Self.isAnswered(connection, with: 404)) }
    for connection in idle.prefix(8).suffix(4) { connection.send("GET /livez HTTP/1.10\r\nHost: a\r\n\r\n") }
    for connection in idle.prefix(8).suffix(4) { #expect(Self.isAnswered(connection, with: 400)) }
    // After the minimum time for which a connection must have been idle.
    let fresh = try server.connect()
    fresh.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(Self.isAnswered(fresh, with: 200))
    server.process.send(SIGHUP)
    server.awaitLog("reloaded")
    #expect(server.end(by: SIGTERM) < 60)
    #expect(server.process.errorText.contains("unknown kind, and more like it"))
    withExtendedLifetime(idle) {}
  }

  /// The same if the system limit is reached, which the server cannot know in advance.
  @Test func whenTheSystemHasNoFilesTheLongestIdleMakeRoom() throws {
    let server = try ServeProcess("--workers", "1", environment: Faults.environment(["FAULT_FILES": 60]))
    let idle = try (0..<80).map { _ in try server.connect() }
    let fresh = try server.connect()
    fresh.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(Self.isAnswered(fresh, with: 200))
    #expect(try server.sum(of: "cellfactory_connections_cut_total{deadline=\"room\"}") > 0)
    _ = server.end(by: SIGTERM)
    withExtendedLifetime(idle) {}
  }

  /// The system call that tells how much the client has read fails, once or always: a client that reads
  /// nothing is cut anyway.
  @Test(arguments: [2, 3, 1_000_000]) func aClientThatDoesNotReadIsCutWithoutTCPInfo(each: Int) throws {
    let folder = try TemporaryFolder(["big.mustache": String(repeating: "0123456789abcdef", count: 1 << 16)])
    let server = try ServeProcess(
      "--templates", folder.path, "--workers", "1", "--write-seconds", "1",
      environment: Faults.environment(["FAULT_TCP_INFO": each]))
    let slow = try server.connect()
    slow.send(ServeProcess.request("/cells/big", "[\((0..<24).map(String.init).joined(separator: ","))]"))
    slow.receive(atLeast: 1000)
    let end = Clock.seconds + CommandProcess.patience
    while try !server.get("/metrics").text.contains("cut_total{deadline=\"write\"} 1"), Clock.seconds < end {
      usleep(50_000)
    }
    #expect(try server.get("/metrics").text.contains("cut_total{deadline=\"write\"} 1"))
  }
}
