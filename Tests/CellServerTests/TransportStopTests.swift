import CellServer
import Glibc
import Synchronization
import Testing

@Suite struct TransportStopTests {
  @Test func anIdleServerStopsAtOnce() throws {
    let server = try TransportTestServer { $0.workers = 2 }
    #expect(server.server.isReady)
    server.server.stop()
    #expect(!server.server.isReady)
    server.server.wait()
    server.server.stop()
    server.server.wait()
  }

  @Test func requestsInFlightAreFinished() throws {
    let server = try TransportTestServer { $0.drainSeconds = 120 }
    let body = server.client
    body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
    let head = server.client
    head.send("GET /echo HTTP/1.1\r\nHost: a\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 2 })
    server.server.stop()
    // Longer than the grace period of connections without a request.
    usleep(700_000)
    body.send("llo")
    head.send("\r\n")
    for (client, text) in [(body, "hello"), (head, "")] {
      let answer = client.readAnswer()
      #expect(answer?.text == text)
      #expect(answer?["Connection"] == "close")
    }
    server.server.wait()
  }

  @Test func queuedConnectionsAreServed() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) { $0.drainSeconds = 120 }
    let busy = server.client
    busy.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    // The only worker is busy, so these are connected only by the kernel.
    let clients = (0..<50).map { _ in server.client }
    for client in clients { client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n") }
    server.server.stop()
    gate.open()
    #expect(busy.readAnswer()?.text == "gate")
    for client in clients { #expect(client.readAnswer()?.status == 200) }
    server.server.wait()
  }

  @Test func idleConnectionsDoNotHoldTheStop() throws {
    let server = try TransportTestServer { $0.drainSeconds = 120 }
    let used = server.client
    used.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(used.readAnswer()?.status == 200)
    let silent = server.client
    #expect(server.eventually { $0.sum(\.connections) == 2 })
    let start = MonotonicSeconds.now
    server.server.stop()
    server.server.wait()
    #expect(MonotonicSeconds.now - start < 60, "half of the time that the drain may take")
    #expect(used.isEnded() && silent.isEnded())
  }

  @Test func theDrainHasAnEnd() throws {
    let server = try TransportTestServer { $0.drainSeconds = 1 }
    let stuck = server.client
    stuck.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    let start = MonotonicSeconds.now
    server.server.stop()
    server.server.wait()
    #expect((0.9..<60).contains(MonotonicSeconds.now - start))
    #expect(stuck.readAnswer() == nil)
    #expect(server.isIdle)
  }

  /// Opens one connection after another until nothing listens any more. A reset before the first byte of an
  /// answer is not a loss on a new connection: the kernel may accept one between the server's last look at
  /// its queue and the closing of the queue. A test above shows that the server does look. On a used
  /// connection, an end after a silence is not a loss either: the server waits for the next request for half
  /// a second after the stop, and a client that got no processor time may send too late.
  @Test func underLoadNoRequestIsLost() throws {
    let server = try TransportTestServer {
      $0.workers = 2
      $0.drainSeconds = 120
    }
    let answered = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
    let port = server.port
    let threads = (0..<4).map { _ in
      TestThread {
        while let client = TransportTestClient(connectingTo: port) {
          var lastSent: Double?
          var isOpen = true
          while isOpen {
            let start = MonotonicSeconds.now
            let isSent = client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
            let silence = MonotonicSeconds.now - (lastSent ?? start)
            if isSent, let answer = client.readAnswer() {
              if answer.text == "ok" {
                answered.add(1, ordering: .relaxed)
              } else {
                lost.add(1, ordering: .relaxed)
              }
              isOpen = answer["Connection"] != "close"
            } else {
              let isExcused = lastSent == nil ? client.wasReset : silence > 0.3
              if !isExcused || !isStopping.load(ordering: .acquiring) { lost.add(1, ordering: .relaxed) }
              isOpen = false
            }
            lastSent = start
          }
        }
      }
    }
    #expect(Patience.awaits { answered.load(ordering: .relaxed) > 100 })
    isStopping.store(true, ordering: .releasing)
    server.server.stop()
    for thread in threads { thread.join() }
    server.server.wait()
    #expect(lost.load(ordering: .relaxed) == 0)
    #expect(server.isIdle)
  }
}
