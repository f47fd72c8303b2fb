import Glibc
import Testing

@Suite struct CommandHealthTests {
  @Test func aServerThatServesIsReady() throws {
    let server = try ServeProcess("--host", "0.0.0.0")
    let port = "\(server.port)"
    let rows: [(arguments: [String], environment: [String: String])] = [
      (["--port", port], [:]),
      ([], ["CELLFACTORY_PORT": port]),
      (["--port", port], ["CELLFACTORY_PORT": "1"]),
      (["--host", "0.0.0.0", "--port", port], [:]),
      ([], ["CELLFACTORY_HOST": "0.0.0.0", "CELLFACTORY_PORT": port]),
      (["--host", "localhost", "--port", port], [:]),
      (["--url", "http://127.0.0.1:\(port)"], [:]),
      (["--url", "http://127.0.0.1:\(port)/"], ["CELLFACTORY_PORT": "1"]),
      (["--url", "http://0.0.0.0:\(port)"], [:]),
      ([], ["CELLFACTORY_URL": "http://127.0.0.1:\(port)"]),
      (["--port", port], ["CELLFACTORY_URL": "http://127.0.0.1:1"]),
    ]
    for row in rows {
      let outcome = try run(["health"] + row.arguments, environment: row.environment)
      #expect(outcome.status == 0, "\(row): \(outcome.errors)")
      #expect(outcome.text == "ready\n", "\(row)")
    }
  }

  @Test func aClosedPortIsNotReady() throws {
    // A low port on 127.0.0.4, where nothing listens.
    let outcome = try run("health", "--host", "127.0.0.4", "--port", "1")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "not ready: cannot connect to 127.0.0.4, port 1: Connection refused\n")
    #expect(outcome.output == [])
    #expect(try run("health", "--url", "http://nosuch.invalid").status == 1)
  }

  @Test func aBadVariableIsNamed() throws {
    let outcome = try run("health", environment: ["CELLFACTORY_URL": "nowhere"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CELLFACTORY_URL"))
  }

  static let answers: [(answer: String, status: Int32, says: String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0, "ready\n"),
    ("HTTP/1.0 200 OK\r\n\r\n", 0, "ready\n"),
    (
      "HTTP/1.1 503 Service Unavailable\r\n\r\n", 1,
      "not ready: the answer is HTTP/1.1 503 Service Unavailable\n"
    ),
    ("HTTP/1.1 404 Not Found\r\n\r\n", 1, "404"),
    ("HTTP/1.1 302 Found\r\n\r\n", 1, "302"),
    ("SSH-2.0-OpenSSH 200\r\n", 1, "SSH-2.0"),
    ("200", 1, "200"),
    ("", 1, "empty"),
  ]

  @Test func onlyAnAnswerOf200IsReady() throws {
    for row in Self.answers {
      let listener = try OneAnswerListener()
      let process = try CommandProcess(["health", "--url", "http://127.0.0.1:\(listener.port)/base/"])
      let request = listener.serve(row.answer)
      #expect(process.wait() == row.status, "\(row)")
      #expect((process.outputText + process.errorText).contains(row.says), "\(row): \(process.errorText)")
      #expect(
        request.hasPrefix("GET /base/readyz HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n"), "\(request)")
    }
  }

  /// A server that sends a byte now and then does not hold a health check.
  @Test func anAnswerTakesFiveSecondsAtMost() throws {
    let listener = try OneAnswerListener()
    let process = try CommandProcess(["health", "--url", "http://127.0.0.1:\(listener.port)"])
    _ = listener.serve("HTTP/1.1 200", drippingFor: 8)
    #expect(process.wait() == 1)
    #expect(process.errorText == "not ready: no answer within 5 seconds\n")
  }

  @Test func aStoppingServerIsNotReadyForOpenConnections() throws {
    let server = try ServeProcess("--drain-seconds", "60")
    let connection = try server.connect()
    let readiness = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"
    connection.send(readiness)
    guard case .answer(let before) = connection.read() else {
      throw ServeProcess.NoAnswer(request: readiness)
    }
    #expect(before.status == 200)
    // The request has started, because a connection without one would be closed if this test stalls.
    connection.send("GET /readyz HTTP/1.1\r\n")
    server.process.send(SIGTERM)
    server.awaitLog("stopping")
    connection.send("Host: a\r\n\r\n")
    guard case .answer(let after) = connection.read() else { throw ServeProcess.NoAnswer(request: readiness) }
    #expect(after.status == 503)
    #expect(after["Retry-After"] != nil && after["Connection"] == "close")
    #expect(server.process.wait() == 0)
  }
}

/// Accepts one connection and sends a given answer.
final class OneAnswerListener {
  struct Failure: Error {}

  private let descriptor: Int32
  let port: Int

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    descriptor = listener
    var address = SocketAddress.ipv4(port: 0, host: "127.0.0.1")
    let outcome = SocketAddress.use(&address) { pointer, length in
      var length = length
      if bind(listener, pointer, length) != 0 || listen(listener, 8) != 0 { return -1 }
      return getsockname(listener, pointer, &length)
    }
    if outcome != 0 {
      close(listener)
      throw Failure()
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    // The client may never connect.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Reads the head of a request, answers, and closes the connection. Returns the head.
  /// - Parameter seconds: how long more bytes follow, until the client has gone.
  func serve(_ answer: String, drippingFor seconds: Double = 0) -> String {
    var client: Int32
    repeat { client = accept(descriptor, nil, nil) } while client < 0 && errno == EINTR
    guard client >= 0 else { return "" }
    defer { close(client) }
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      let count = recv(client, &byte, 1, 0)
      if count < 0, errno == EINTR { continue }
      if count != 1 { break }
      head.append(byte)
    }
    let bytes = Array(answer.utf8)
    _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(200_000) }
    return String(decoding: head, as: UTF8.self)
  }
}
