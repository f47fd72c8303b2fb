import Glibc
import Testing

/// `cellfactory serve` on a free port, killed in `deinit`.
final class ServeProcess {
  let process: CommandProcess
  /// The host in the printed `http://` URL, without the port.
  let host: String
  let port: Int

  /// - Parameter arguments: port 0 is added if `--port` is missing, and the package's templates if there is
  ///   no source.
  init(
    _ arguments: String..., environment: [String: String] = [:], folder: String? = nil,
    errors: CommandProcess.Stream = .kept, limits: [String: Int] = [:], more: [String] = []
  ) throws {
    var all = ["serve"] + arguments + more
    let variables = environment.keys
    if !arguments.contains("--port"), !variables.contains("CELLFACTORY_PORT") { all += ["--port", "0"] }
    if !arguments.contains("--templates"), !arguments.contains("--archive"), folder == nil,
      !variables.contains("CELLFACTORY_TEMPLATES"), !variables.contains("CELLFACTORY_ARCHIVE")
    {
      all += ["--templates", Package.templates]
    }
    if !arguments.contains("--workers"), !variables.contains("CELLFACTORY_WORKERS") {
      all += ["--workers", "2"]
    }
    process = try CommandProcess(
      all, environment: environment, folder: folder, errors: errors, limits: limits)
    let end = Clock.seconds + CommandProcess.patience
    while !process.outputText.contains("\n"), process.wait(seconds: 0) == nil, Clock.seconds < end {
      usleep(1000)
    }
    let line = process.outputText.split(separator: "\n").first ?? ""
    let colon = try #require(line.lastIndex(of: ":"), "\(all) does not listen: \(process.errorText)")
    host = String(line[..<colon].dropFirst("listening on http://".count))
    port = try #require(Int(line[line.index(after: colon)...]))
  }

  /// Waits until the log contains the text.
  func awaitLog(_ text: String) {
    let end = Clock.seconds + CommandProcess.patience
    while !process.errorText.contains(text), Clock.seconds < end { usleep(1000) }
    #expect(process.errorText.contains(text))
  }

  /// Waits until this many lines of the log contain the text.
  func awaitLogLines(_ count: Int, _ text: String) {
    let end = Clock.seconds + CommandProcess.patience
    func lines() -> Int { process.errorText.split(separator: "\n").count { $0.contains(text) } }
    while lines() < count, Clock.seconds < end { usleep(1000) }
    #expect(lines() == count)
  }

  /// Sends a signal and waits for the exit. Returns the duration in seconds.
  func end(by signal: Int32, status: Int32 = 0, location: SourceLocation = #_sourceLocation) -> Double {
    let start = Clock.seconds
    process.send(signal)
    #expect(process.wait() == status, sourceLocation: location)
    return Clock.seconds - start
  }

  /// A new connection.
  func connect() throws -> HTTPConnection {
    try #require(HTTPConnection(port: port), "nobody listens")
  }

  /// Sends a request on a new connection.
  func ask(_ request: String) throws -> HTTPConnection.Answer {
    let connection = try connect()
    connection.send(request)
    guard case .answer(let answer) = connection.read() else {
      throw NoAnswer(request: request)
    }
    return answer
  }

  func get(_ target: String) throws -> HTTPConnection.Answer {
    try ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  }

  /// Adds up the samples of `/metrics` that begin with this text.
  func sum(of series: String) throws -> Int {
    try get("/metrics").text.split(separator: "\n").filter { $0.hasPrefix(series) }.reduce(0) { sum, line in
      sum + (line.split(separator: " ").last.flatMap { Int($0) } ?? 0)
    }
  }

  func post(
    _ target: String, _ body: String, type: String = "application/json"
  ) throws -> HTTPConnection.Answer {
    try ask(Self.request(target, body, type: type, connection: "close"))
  }

  static func request(
    _ target: String, _ body: String, type: String = "application/json", connection: String = "keep-alive"
  ) -> String {
    """
    POST \(target) HTTP/1.1\r
    Host: localhost\r
    Connection: \(connection)\r
    Content-Type: \(type)\r
    Content-Length: \(body.utf8.count)\r
    \r
    \(body)
    """
  }

  struct NoAnswer: Error { var request: String }
}
