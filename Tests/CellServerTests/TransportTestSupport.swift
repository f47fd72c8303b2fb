import Cells
import CellServer
import Glibc

/// A handler whose answer describes the request it received; the path selects the behaviour.
struct TransportTestHandler: RequestHandler {
  /// Blocks the worker that answers `/gate` until the test opens it; `/work` only stays unfinished until
  /// then.
  var gate: Gate?

  func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory
  ) -> Answer {
    switch head.path {
    case "/echo":
      output.append(body.bytes)
      return Answer(status: 200, contentType: "text/plain", body: output)
    case "/html", "/json":
      output.append(body.bytes)
      return Answer(
        status: 200, contentType: head.path == "/html" ? "text/html" : "application/json", body: output)
    case "/fill":
      let count = Int(head.query ?? "") ?? 0
      output.append([UInt8](repeating: UInt8(ascii: "x"), count: count))
      return Answer(status: 200, contentType: "text/plain", body: output)
    case "/slow":
      usleep(UInt32(head.query ?? "") ?? 0)
      output.append("slow")
      return Answer(status: 200, contentType: "text/plain", body: output)
    case "/gate":
      gate?.pass()
      output.append("gate")
      return Answer(status: 200, contentType: "text/plain", body: output)
    case "/waiting":
      return .unmade(TransportTestWork(gate: gate, isWaiting: true))
    case "/work":
      return .unmade(TransportTestWork(gate: gate))
    case "/stream":
      output.append("streamed")
      var answer = Answer(status: 200, contentType: "text/plain", body: output)
      answer.rest = .streamed(TransportTestWork(gate: nil))
      return answer
    case "/unchanged":
      output.append("as it was")
      return Answer(status: 304, headers: [("ETag", "\"1\"")], body: output)
    case "/nothing":
      return Answer(status: 204, headers: [("Allow", "GET")])
    case "/problem":
      return Answer(problem: Problem(.notFound, detail: "nothing here"))
    default:
      let parts: [(String, String?)] = [
        ("method", head.method.name), ("path", head.path), ("query", head.query), ("accept", head.accept),
        ("type", head.contentType), ("encoding", head.contentEncoding), ("match", head.ifNoneMatch),
      ]
      for (name, value) in parts { if let value { output.append(text: "\(name)=\(value)\n") } }
      output.append(text: "bytes=\(body.count)\n")
      return Answer(status: 200, contentType: "text/plain", body: output)
    }
  }

  func isNeverOverdue(_ head: borrowing RequestHead) -> Bool {
    ["/livez", "/readyz", "/metrics"].contains(head.path)
  }

  func isProbe(_ head: borrowing RequestHead) -> Bool { ["/livez", "/readyz"].contains(head.path) }
}

/// A live server on a free port, stopped in `deinit`.
final class TransportTestServer {
  let server: Server
  let port: Int

  init(
    handler: any RequestHandler = TransportTestHandler(), _ change: (inout ServerSettings) -> Void = { _ in }
  )
    throws
  {
    var settings = ServerSettings(address: ServerAddress(host: "127.0.0.1", port: 0), workers: 1)
    // Longer than any test waits, so that a connection that ends earlier has ended for another reason.
    (settings.headSeconds, settings.bodySeconds, settings.idleSeconds) = (120, 120, 120)
    // No request is refused because a busy machine holds up those before it.
    settings.queueSeconds = 0
    change(&settings)
    server = Server(settings: settings, handler: handler, makeFactory: TransportTestFactory.make)
    port = try server.start().port
  }

  deinit {
    server.stop()
    server.wait()
  }

  var client: TransportTestClient { TransportTestClient(port: port) }

  /// Sums over all workers.
  func sum(_ value: (WorkerStatistics) -> Int) -> Int { server.statistics.map(value).reduce(0, +) }

  /// Waits until the condition holds; returns `false` on timeout.
  func eventually(_ condition: (TransportTestServer) -> Bool) -> Bool { Patience.awaits { condition(self) } }

  /// Whether the server holds no connection, request or byte.
  var isIdle: Bool { sum(\.connections) == 0 && sum(\.inFlight) == 0 && sum(\.heldBytes) == 0 }
}

func inProcessServer(_ change: (inout ServerSettings) -> Void = { _ in }) throws -> InProcessServer {
  var settings = ServerSettings()
  change(&settings)
  return try InProcessServer(
    settings: settings, handler: TransportTestHandler(), makeFactory: TransportTestFactory.make)
}
