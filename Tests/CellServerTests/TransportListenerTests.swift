import Glibc
import Testing

@testable import CellServer

@Suite struct TransportListenerTests {
  /// A rule of a sandbox that forbids to accept must not hold the event loop.
  @Test(.timeLimit(.minutes(1))) func whatTheSystemRefusesIsNotTriedForever() throws {
    let listener = try Listener(ServerAddress(host: "127.0.0.1", port: 0))
    guard case .nobody = listener.accept() else {
      Issue.record("somebody waits")
      return
    }
    // The socket no longer listens, so the system answers EINVAL from now on.
    #expect(shutdown(listener.descriptor, Int32(SHUT_RDWR)) == 0)
    guard case .refused = listener.accept() else {
      Issue.record("it is not told as refused")
      return
    }
  }
}
