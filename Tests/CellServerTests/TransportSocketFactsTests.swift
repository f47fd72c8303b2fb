import CMicrohttpd
import Glibc
import Testing

@testable import CellServer

/// What the server asks of a socket, for one that is not TCP.
@Suite struct TransportSocketFactsTests {
  private static func withUnixSockets(_ body: (_ server: Int32, _ client: Int32) throws -> Void) throws {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    try body(pair[0], pair[1])
  }

  @Test func aClientThatHasReadEverythingOfAUnixSocketIsFoundSo() throws {
    try Self.withUnixSockets { server, client in
      var count: UInt64 = 0
      #expect(cf_acknowledged(server, &count) == 0)
      #expect(write(server, "abc", 3) == 3)
      #expect(cf_acknowledged(server, &count) == 1)
      #expect(cf_readable_bytes(client) == 3)
      var bytes: [UInt8] = [0, 0, 0]
      #expect(read(client, &bytes, 3) == 3)
      #expect(cf_acknowledged(server, &count) == 0)
    }
  }

  /// Linux does not count what the client of a Unix socket has read.
  @Test func aClientOfAUnixSocketIsNotCutForBeingSlow() throws {
    try Self.withUnixSockets { server, _ in
      #expect(write(server, "abc", 3) == 3)
      var (before, after): (UInt64, UInt64) = (0, 0)
      #expect(cf_acknowledged(server, &before) == 1)
      usleep(20_000)
      #expect(cf_acknowledged(server, &after) == 1)
      #expect(after - before > UInt64(ServerSettings.leastBytesPerSecond) * 20 / 1000)
    }
  }

  @Test func whatIsUnknownOfAUnixSocketIsSo() throws {
    try Self.withUnixSockets { server, _ in
      #expect(cf_milliseconds_since_arrival(server) == -1)
      #expect(cf_waiting_connections(server) == -1)
    }
  }
}
