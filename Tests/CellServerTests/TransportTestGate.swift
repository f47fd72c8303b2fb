import Glibc
import Synchronization

/// A gate for the threads of a server, opened by a test once it has seen what it waits for.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  var isPassable: Bool { isOpen.load(ordering: .acquiring) }

  /// Blocks until the gate is open, with a time limit in case a test fails without opening it.
  func pass() {
    _ = Patience.awaits { isOpen.load(ordering: .acquiring) }
  }
}
