import Glibc
import Testing

/// The preview as a process: its options, and event streams on real connections.
@Suite struct CommandPreviewTests {
  private static let events = "GET /preview/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let nib = #"<p data-cell="a"><b data-outlet="x">y</b></p>"#

  @Test func itIsOffUnlessAskedFor() throws {
    let server = try ServeProcess()
    #expect(try server.get("/").status == 404)
    #expect(try server.get("/preview/news").status == 404)
    #expect(try server.get("/preview/events").status == 404)
    #expect(!server.process.outputText.contains("preview"))
  }

  @Test func theCommandServesOnThisComputerAndFollowsTheFiles() throws {
    let folder = try TemporaryFolder(["a.html": Self.nib])
    let process = try CommandProcess(["preview", folder.path, "--port", "0"])
    let end = Clock.seconds + CommandProcess.patience
    while !process.outputText.contains("preview at"), Clock.seconds < end { usleep(1000) }
    let line = try #require(process.outputText.split(separator: "\n").last)
    #expect(line.hasPrefix("preview at http://127.0.0.1:") && line.hasSuffix("/"))
    let port = try #require(Int(line.dropLast().split(separator: ":").last ?? ""))
    let connection = try #require(HTTPConnection(port: port))
    connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: "/") }
    #expect(answer.status == 200 && answer.text.contains("/preview/a"))
    #expect(!process.errorText.contains("everyone"))
    process.send(SIGTERM)
    #expect(process.wait() == 0)
  }

  @Test func anArchiveIsRefused() throws {
    let folder = try TemporaryFolder(["a.html": Self.nib])
    let archive = folder["cells.archive"]
    #expect(try run("archive", folder.path, "--output", archive).status == 0)
    for arguments in [["--preview", "on"], ["--preview"]] {
      let outcome = try run(["serve", "--archive", archive, "--port", "0"] + arguments)
      #expect(outcome.status == 64 && outcome.errors.contains("give '--templates'"), "\(outcome.errors)")
    }
  }

  @Test(arguments: ["https://a.example", "a.example:80", "", "a b"])
  func aHostNameIsOnlyAName(name: String) throws {
    let outcome = try run("serve", "--templates", Package.templates, "--preview-host", "ok.example," + name)
    #expect(outcome.status == 64 && outcome.errors.contains("is not a host name"), "\(outcome.errors)")
  }

  @Test func theLogWarnsWhereOthersCanSeeIt() throws {
    let open = try ServeProcess("--preview", "on", "--host", "0.0.0.0")
    open.awaitLog("for development only")
    let own = try ServeProcess("--preview", "on", "--preview-host", "a.example")
    #expect(try own.get("/").status == 200)
    #expect(!own.process.errorText.contains("for development only"))
  }

  private static func open(_ server: ServeProcess) throws -> HTTPConnection {
    let connection = try server.connect()
    connection.send(events)
    return connection
  }

  /// The streams of many pages get each reload, cost no requests in flight, and end at once when the server stops.
  @Test func streamsGetEachReloadAndEndWithTheServer() throws {
    let folder = try TemporaryFolder(["a.html": Self.nib])
    let server = try ServeProcess("--templates", folder.path, "--preview", "on", "--watch", "on")
    let pages = try (0..<20).map { _ in try Self.open(server) }
    let end = Clock.seconds + CommandProcess.patience
    while try server.sum(of: "cellfactory_connections{") != 21, Clock.seconds < end { usleep(1000) }
    #expect(try server.sum(of: "cellfactory_connections{") == 21)
    #expect(try server.sum(of: "cellfactory_requests_in_flight{") == 1)
    try folder.write("a.html", Array(Self.nib.replacing("<b", with: "<b class=n").utf8))
    server.awaitLog("reloaded")
    usleep(300_000)
    #expect(server.end(by: SIGTERM) < 5)
    for page in pages {
      guard case .answer(let answer) = page.read() else { throw ServeProcess.NoAnswer(request: Self.events) }
      #expect(answer.text.contains(#""kinds":["a"]"#), "\(answer.text)")
    }
  }

  /// Deadlines for slow readers, idle connections and bodies do not concern open pages; pages that are gone do not stay.
  @Test func streamsOutliveDeadlinesAndPagesThatAreGoneAreNoticed() throws {
    let server = try ServeProcess(
      "--preview", "on", "--workers", "1",
      more: [
        "--write-seconds", "0.2", "--idle-seconds", "0.2", "--head-seconds", "0.2", "--body-seconds", "0.2",
      ])
    let (stays, leaves) = (try Self.open(server), try Self.open(server))
    usleep(2_500_000)
    #expect(!stays.hasEnded)
    leaves.reset()
    let end = Clock.seconds + 10
    while try server.sum(of: "cellfactory_connections{") > 2, Clock.seconds < end { usleep(50_000) }
    #expect(try server.sum(of: "cellfactory_connections{") == 2)
    #expect(!server.process.errorText.contains("libmicrohttpd"))
  }
}
