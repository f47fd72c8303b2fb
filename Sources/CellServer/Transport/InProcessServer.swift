package import Cells
import Synchronization

/// A server without sockets: guard, exchange and handler on their own loop and factory.
///
/// For tests that also run against a live server, and for measurements without a network.
package final class InProcessServer: Sendable {
  /// The state of a worker. Confined to the loop's thread, like `factory`.
  private final class State {
    let settings: ServerSettings
    let budget: MemoryBudget
    let pool: BufferPool
    var ids = RequestIDs()

    init(settings: ServerSettings) {
      self.settings = settings
      budget = MemoryBudget(
        limitBytes: settings.inFlightLimitBytes,
        overload: OverloadPolicy(statistics: settings.metrics.addWorker()))
      pool = BufferPool(budget: budget, compression: settings.compression)
    }
  }

  private final class StopFlag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  private let handler: any RequestHandler
  private let factory: CellFactory
  private let loop: EventLoop
  private let stopFlag = StopFlag()
  // Accessed only by functions isolated to `factory`. The isolation of another actor cannot be declared for a property.
  nonisolated(unsafe) private let state: State

  package init(
    settings: ServerSettings = ServerSettings(), handler: any RequestHandler,
    makeFactory: (any SerialExecutor) -> CellFactory
  ) throws {
    let loop = try EventLoop()
    self.loop = loop
    self.handler = handler
    factory = makeFactory(loop)
    state = State(settings: settings)
    try SystemThread.start(named: "cells-inside") { [stopFlag] in
      loop.adoptCurrentThread()
      while !stopFlag.isSet.load(ordering: .acquiring) {
        if loop.wait(milliseconds: -1).contains(.jobs) { loop.runJobs() }
      }
      loop.close()
    }
  }

  deinit {
    stopFlag.isSet.store(true, ordering: .releasing)
    loop.wake()
  }

  package func respond(to request: InProcessRequest) async -> InProcessAnswer {
    await respond(to: request, in: factory)
  }

  /// Bytes counted as in flight; 0 between requests.
  package func heldBytes() async -> Int { await heldBytes(in: factory) }

  private func heldBytes(in _: isolated CellFactory) -> Int { state.budget.heldBytes }

  private func respond(to request: InProcessRequest, in factory: isolated CellFactory) -> InProcessAnswer {
    var exchange = Exchange(settings: state.settings, budget: state.budget, pool: state.pool)
    defer { exchange.end() }
    var answer = respond(to: request, with: &exchange, in: factory)
    var isComplete = true
    let isStreamed = exchange.hasWork
    let streamedBytes = answer.streamedBytes
    if isStreamed { isComplete = Self.readAll(&answer.body, of: &exchange, in: factory) }

    var headers: [(name: String, value: String)] = []
    answer.forEachHeader(to: exchange.head, state.settings, archiveHash: exchange.archiveHash(in: factory)) {
      name, value in
      headers.append((String(cString: name), String(cString: value)))
    }
    if answer.closesConnection || exchange.endsConnection { headers.append(("Connection", "close")) }
    if isStreamed, let streamedBytes {
      headers.append(("Content-Length", String(streamedBytes)))
    } else if isStreamed {
      headers.append(("Transfer-Encoding", "chunked"))
    } else if answer.status != 204 {
      headers.append(("Content-Length", String(answer.body.count)))
    }
    let hasBody = exchange.head.method != .head && answer.status != 204 && answer.status != 304
    let body = hasBody ? Array(answer.body.bytes) : []
    return InProcessAnswer(status: answer.status, headers: headers, body: body, isComplete: isComplete)
  }

  private func respond(
    to request: InProcessRequest, with exchange: inout Exchange, in factory: isolated CellFactory
  ) -> Answer {
    Self.withBytes(request.target) { exchange.begin(target: $0) }
    do throws(Problem) {
      try exchange.receiveHead(ids: &state.ids) { head in
        Self.withBytes(request.method) { method in
          Self.withBytes(request.version) { head.receive(method: method, version: $0) }
        }
        for header in request.headers {
          Self.withBytes(header.name) { name in
            Self.withBytes(header.value) { head.receive(name: name, value: $0) }
          }
        }
      }
    } catch {
      return exchange.refusal(for: error)
    }
    if exchange.expectsBody {
      for piece in request.pieces { piece.withUnsafeBytes { exchange.receiveBody($0) } }
    }
    switch exchange.answer(by: handler, output: ByteBuffer(), factory: factory) {
    case let answer?: return answer
    case nil: break
    }
    while true {
      switch exchange.work(sharers: 1, factory: factory) {
      case let answer?: return answer
      case nil: continue
      }
    }
  }

  /// Appends the pieces of a streamed body until its end. Returns false if it was cut off.
  private static func readAll(
    _ body: inout ByteBuffer, of exchange: inout Exchange, in factory: isolated CellFactory
  ) -> Bool {
    var piece = ByteBuffer()
    while true {
      piece.truncate(to: 0)
      let progress = exchange.write(
        into: &piece, bytes: StreamedBody.pieceBytes, sharers: 1, factory: factory)
      body.append(piece.bytes)
      if progress != .more { return progress != .broken }
    }
  }

  private static func withBytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    var text = text
    text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
