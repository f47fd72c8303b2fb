import CellServer
import Glibc
import Testing

/// Deadlines that bytes cannot push away. A cut comes up to half a second (the sweep) after its deadline.
@Suite struct TransportDeadlineTests {
  /// Sends a byte every 50 ms until the server hangs up; the seconds it took, or `nil` after five.
  static func trickle(_ client: TransportTestClient, byte: UInt8) -> Double? {
    for turn in 0..<100 {
      if !client.send([byte]) { return Double(turn) * 0.05 }
      usleep(50_000)
    }
    return nil
  }

  static func server() throws -> TransportTestServer {
    try TransportTestServer {
      $0.headSeconds = 0.4
      $0.bodySeconds = 0.4
      $0.idleSeconds = 0.8
    }
  }

  @Test func aSlowHeadIsCut() throws {
    let server = try Self.server()
    let client = server.client
    client.send("GET /x HTTP/1.1\r\nHost: a\r\nX-A: ")
    let seconds = Self.trickle(client, byte: 65)
    #expect((0.3..<2.5).contains(seconds ?? 99))
    #expect(server.eventually { $0.isIdle && $0.sum(\.cuts) == 1 })
  }

  @Test func aSlowRequestLineIsCut() throws {
    let server = try Self.server()
    let client = server.client
    client.send("GET /")
    #expect((0.3..<2.5).contains(Self.trickle(client, byte: 65) ?? 99))
    #expect(server.eventually(\.isIdle))
  }

  @Test func aConnectionThatSaysNothingIsCut() throws {
    let server = try Self.server()
    let client = server.client
    #expect(client.isEnded())
    #expect(server.sum(\.cuts) == 1)
  }

  @Test func aSlowBodyIsCutAndGivesBackWhatItHeld() throws {
    let server = try Self.server()
    let client = server.client
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n")
    #expect(server.eventually { $0.sum(\.heldBytes) == 5000 })
    #expect((0.3..<2.5).contains(Self.trickle(client, byte: 65) ?? 99))
    #expect(server.eventually(\.isIdle))
  }

  @Test func anIdleConnectionIsCut() throws {
    let server = try Self.server()
    let client = server.client
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.status == 200)
    #expect(client.isEnded())
    #expect(server.eventually(\.isIdle))
  }

  @Test func aSecondRequestHasTimeOfItsOwn() throws {
    let server = try Self.server()
    let client = server.client
    for _ in 0..<4 {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
      usleep(200_000)
      client.send("a")
      #expect(client.readAnswer()?.text == "a")
    }
  }

  @Test func aLongAnswerIsNotCut() throws {
    let server = try Self.server()
    let client = server.client
    client.send("GET /slow?1500000 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.text == "slow")
  }
}
