import CMemory
import Glibc

/// The large blocks that the current thread has discarded and whose pages it still has to give back to the system.
///
/// Giving back 200 MB takes tens of milliseconds, so a thread that serves others in between does it in parts.
package enum DiscardedMemory {
  /// The pages of blocks of this size or more go back to the system.
  static let returnedBytes = 16 << 10

  /// What the thread still has to give back.
  package static var bytes: Int { cf_discarded_bytes() }

  /// Makes the thread defer: it must call `drop` until `bytes` is 0.
  package static func `defer`() { cf_defer_discards(true) }

  /// Frees a block of `malloc`, now or later.
  package static func discard(_ block: UnsafeMutableRawPointer, bytes: Int) { cf_discard(block, bytes, free) }

  /// Gives about `bytes` back.
  package static func drop(_ bytes: Int) { cf_drop_discarded(bytes) }

  /// Gives everything back, and defers nothing any more.
  package static func end() {
    cf_defer_discards(false)
    cf_drop_discarded(Int.max)
  }
}
