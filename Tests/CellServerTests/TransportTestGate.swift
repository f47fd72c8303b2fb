import Glibc
import Synchronization

/// A door for the threads of a server: a test opens it once it has seen what it wants to see.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  var isPassable: Bool { isOpen.load(ordering: .acquiring) }

  /// Blocks until it is open; a test that fails without opening it must not hang for ever.
  func pass() {
    _ = Patience.awaits { isOpen.load(ordering: .acquiring) }
  }
}
