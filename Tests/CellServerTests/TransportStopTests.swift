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
    let server = try TransportTestServer()
    let body = server.client
    body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
    let head = server.client
    head.send("GET /echo HTTP/1.1\r\nHost: a\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 2 })
    server.server.stop()
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

  @Test func whatWaitsInTheListeningQueueIsServed() throws {
    let server = try TransportTestServer()
    let busy = server.client
    busy.send("GET /slow?300000 HTTP/1.1\r\nHost: a\r\n\r\n")
    usleep(100_000)
    // The one worker is busy: these are connected by the kernel only.
    let clients = (0..<50).map { _ in server.client }
    for client in clients { client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n") }
    server.server.stop()
    #expect(busy.readAnswer()?.text == "slow")
    for client in clients { #expect(client.readAnswer()?.status == 200) }
    server.server.wait()
  }

  @Test func idleConnectionsDoNotHoldTheStop() throws {
    let server = try TransportTestServer { $0.drainSeconds = 30 }
    let used = server.client
    used.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(used.readAnswer()?.status == 200)
    let silent = server.client
    #expect(server.eventually { $0.sum(\.connections) == 2 })
    let start = MonotonicSeconds.now
    server.server.stop()
    server.server.wait()
    #expect(MonotonicSeconds.now - start < 3)
    #expect(used.isEnded() && silent.isEnded())
  }

  @Test func theDrainHasAnEnd() throws {
    let server = try TransportTestServer { $0.drainSeconds = 0.5 }
    let stuck = server.client
    stuck.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    let start = MonotonicSeconds.now
    server.server.stop()
    server.server.wait()
    #expect((0.4..<3).contains(MonotonicSeconds.now - start))
    #expect(stuck.readAnswer() == nil)
    #expect(server.isIdle)
  }

  @Test func underLoadNoRequestIsLost() throws {
    let server = try TransportTestServer { $0.workers = 2 }
    let answered = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
    let port = server.port
    let threads = (0..<4).map { _ in
      TestThread {
        // One connection after another, until nobody listens any more.
        while let client = TransportTestClient(connectingTo: port) {
          var isOpen = true
          while isOpen {
            guard client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"),
              let answer = client.readAnswer(), answer.text == "ok"
            else {
              lost.add(1, ordering: .relaxed)
              return
            }
            answered.add(1, ordering: .relaxed)
            isOpen = answer["Connection"] != "close"
          }
        }
      }
    }
    usleep(300_000)
    server.server.stop()
    for thread in threads { thread.join() }
    server.server.wait()
    #expect(lost.load(ordering: .relaxed) == 0)
    #expect(answered.load(ordering: .relaxed) > 100)
    #expect(server.isIdle)
  }
}
