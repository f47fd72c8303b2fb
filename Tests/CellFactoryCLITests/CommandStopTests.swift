import Glibc
import Testing

@Suite struct CommandStopTests {
  /// A folder that takes longer to load than the process may take to end.
  @Test(arguments: [SIGTERM, SIGINT])
  func endsWhileCellsAreLoaded(_ signal: Int32) throws {
    let attributes = (0..<900).map { "{{#s}}data-a\($0)=\"{{x}}\"{{/s}}" }.joined(separator: " ")
    let folder = try TemporaryFolder([
      "slow.mustache": String(repeating: "<p \(attributes)>y</p>", count: 166)
    ])
    let process = try CommandProcess([
      "serve", "--templates", folder.path, "--port", "0", "--load-seconds", "600",
    ])
    // It has begun to load: to start takes some milliseconds.
    let end = Clock.seconds + CommandProcess.patience
    while process.processorSeconds < 0.3, process.wait(seconds: 0) == nil, Clock.seconds < end {
      usleep(1000)
    }
    process.send(signal)
    #expect(process.wait(seconds: 10) == 0)
    #expect(process.errorText.contains("stopped by a signal"), "\(process.errorText)")
    #expect(process.outputText == "", "it does not say that it listens")
  }

  /// Starts a request and leaves out the last bytes of its body.
  static func begin(_ server: ServeProcess) throws -> HTTPConnection {
    let connection = try server.connect()
    connection.send(
      "POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"title\":"
    )
    return connection
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func requestsInFlightAreFinished(_ signal: Int32) throws {
    let server = try ServeProcess("--drain-seconds", "60")
    let body = try Self.begin(server)
    let head = try server.connect()
    head.send("GET /kinds/news HTTP/1.1\r\nHost: a\r\n")
    // After these answers, both workers have seen what arrived before.
    for _ in 0..<4 { #expect(try server.get("/livez").status == 200) }
    server.process.send(signal)
    server.awaitLog("stopping")
    let end = Clock.seconds + CommandProcess.patience
    while HTTPConnection(port: server.port) != nil, Clock.seconds < end { usleep(1000) }
    #expect(HTTPConnection(port: server.port) == nil)
    // Longer than the grace period of connections without a request.
    usleep(700_000)
    #expect(server.process.wait(seconds: 0) == nil)
    body.send("\"late\"}")
    head.send("\r\n")
    for (connection, says) in [
      (body, "<h2 class=\"news-title\"><a>late</a></h2>"), (head, "{\"kind\":\"news\""),
    ] {
      guard case .answer(let answer) = connection.read() else {
        Issue.record("no answer to what was in flight")
        continue
      }
      #expect(answer.status == 200)
      #expect(answer.text.contains(says))
      #expect(answer["Connection"] == "close")
    }
    #expect(server.process.wait() == 0)
    #expect(server.process.outputText.split(separator: "\n").count == 1)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func anIdleServerEndsSoon(_ signal: Int32) throws {
    let server = try ServeProcess("--drain-seconds", "120")
    let idle = try server.connect()
    idle.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    guard case .answer = idle.read() else { throw ServeProcess.NoAnswer(request: "/livez") }
    #expect(server.end(by: signal) < 60, "half of the time that the drain may take")
  }

  @Test func anAnswerHalfReadIsSentToItsEnd() throws {
    let folder = try TemporaryFolder(["big.mustache": String(repeating: "0123456789abcdef", count: 1 << 16)])
    let server = try ServeProcess("--templates", folder.path, "--workers", "1", "--drain-seconds", "60")
    let connection = try server.connect()
    // 24 MiB, more than the buffers of the sockets hold.
    connection.send(
      ServeProcess.request("/cells/big", "[\((0..<24).map(String.init).joined(separator: ","))]"))
    connection.receive(atLeast: 1000)
    server.process.send(SIGTERM)
    server.awaitLog("stopping")
    usleep(700_000)
    #expect(server.process.wait(seconds: 0) == nil)
    guard case .answer(let answer) = connection.read() else {
      Issue.record("the answer is not complete")
      return
    }
    #expect(answer.status == 200)
    #expect(answer.body.count == 24 << 20)
    #expect(answer.body.suffix(16).elementsEqual("0123456789abcdef".utf8))
    #expect(server.process.wait() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSecondSignalEndsItAtOnce(_ second: Int32) throws {
    let server = try ServeProcess("--drain-seconds", "120", "--body-seconds", "120")
    let connection = try Self.begin(server)
    #expect(try server.get("/livez").status == 200)
    server.process.send(SIGTERM)
    server.awaitLog("stopping")
    #expect(server.process.wait(seconds: 0.3) == nil)
    #expect(server.end(by: second, status: 1) < 60, "half of the time that the drain may take")
    connection.reset()
  }

  /// Slow clients: the request never ends, or the answer is never read.
  @Test(arguments: ["sends slowly", "does not read"])
  func aSlowClientDoesNotHoldTheDrainBeyondItsTime(_ client: String) throws {
    let folder = try TemporaryFolder([
      "big.mustache": String(repeating: "0123456789abcdef", count: 1 << 16), "news.mustache": "{{title}}",
    ])
    let server = try ServeProcess(
      "--templates", folder.path, "--drain-seconds", "1", "--body-seconds", "120", "--idle-seconds", "120",
      "--workers", "1")
    let connection: HTTPConnection
    if client == "sends slowly" {
      connection = try Self.begin(server)
    } else {
      connection = try server.connect()
      connection.send(
        ServeProcess.request("/cells/big", "[\((0..<24).map(String.init).joined(separator: ","))]"))
      connection.receive(atLeast: 1000)
    }
    #expect(try server.get("/livez").status == 200)
    #expect((0.9..<60).contains(server.end(by: SIGTERM)))
    connection.reset()
  }

  @Test func clientsThatGoAwayDoNotKillIt() throws {
    let folder = try TemporaryFolder(["big.mustache": String(repeating: "0123456789abcdef", count: 1 << 16)])
    let server = try ServeProcess("--templates", folder.path)
    for number in 0..<20 {
      let connection = try server.connect()
      connection.send(ServeProcess.request("/cells/big", "[1,2,3,4,5,6,7,8]"))
      if number % 2 == 0 { connection.receive(atLeast: 1) }
      connection.reset()
    }
    server.process.send(SIGPIPE)
    #expect(try server.post("/cells/big", "[1]").body.count == 1 << 20)
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
  }

  struct Streams: Sendable, CustomTestStringConvertible {
    var output: CommandProcess.Stream
    var errors: CommandProcess.Stream
    var testDescription: String { "output \(output), errors \(errors)" }
  }

  @Test(arguments: [
    Streams(output: .brokenPipe, errors: .kept),
    Streams(output: .closed, errors: .kept),
    Streams(output: .kept, errors: .brokenPipe),
    Streams(output: .kept, errors: .closed),
    Streams(output: .brokenPipe, errors: .brokenPipe),
    Streams(output: .closed, errors: .closed),
  ])
  func itsOutputNeedNotBeRead(_ streams: Streams) throws {
    let process = try CommandProcess(
      ["serve", "--templates", Package.templates, "--port", "0", "--workers", "2", "--log-level", "debug"],
      output: streams.output, errors: streams.errors)
    var found: Int?
    let end = Clock.seconds + CommandProcess.patience
    while found == nil, process.wait(seconds: 0) == nil, Clock.seconds < end { found = process.listeningPort }
    let port = try #require(
      found, "it does not listen, its status is \(process.status ?? 0): \(process.errorText)")
    // A log line written to a connection by mistake would precede an answer.
    for _ in 0..<20 {
      let connection = try #require(HTTPConnection(port: port))
      connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
      guard case .answer(let answer) = connection.read() else {
        throw ServeProcess.NoAnswer(request: "/livez")
      }
      #expect(answer.status == 200)
      #expect(answer.text == "{\"status\":\"live\"}\n")
    }
    process.send(SIGTERM)
    #expect(process.wait() == 0)
  }

  @Test func aClosedOutputIsNotMistakenForAFile() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "a"])
    let arguments = ["archive", folder["cells"], "--output", folder["a.cells"]]
    #expect(try CommandProcess(arguments).wait() == 0)
    let archive = try folder.bytes("a.cells")
    for (output, errors) in [(CommandProcess.Stream.closed, .kept), (.kept, .closed), (.closed, .closed)]
      as [(CommandProcess.Stream, CommandProcess.Stream)]
    {
      #expect(try CommandProcess(arguments, output: output, errors: errors).wait() == 0)
      #expect(try folder.bytes("a.cells") == archive)
    }
  }

  @Test func anOutputThatIsLostIsAFailure() throws {
    let folder = try TemporaryFolder(["a.mustache": "a"])
    for arguments in [["kinds", "--json"], ["kinds"], ["render", "a"], ["check", folder.path]] {
      let templates = arguments[0] == "check" ? [] : ["--templates", folder.path]
      let process = try CommandProcess(arguments + templates, input: "[1]", output: .closed)
      #expect(process.wait() == 1, "\(arguments)")
      #expect(process.errorText == "error: standard output: Bad file descriptor\n", "\(arguments)")
    }
  }

  @Test func aReaderThatIsGoneEndsTheOtherCommandsQuietly() throws {
    let folder = try TemporaryFolder(["a.mustache": "a"])
    for arguments in [["kinds", "--json"], ["render", "a"]] {
      let process = try CommandProcess(
        arguments + ["--templates", folder.path], input: "[1]", output: .brokenPipe)
      // Like other commands: by the signal or with a status.
      #expect([-SIGPIPE, 1].contains(process.wait()))
      #expect(process.errorText == "")
    }
  }
}
