import Synchronization

/// Whether the server welcomes new requests, as reported by `/readyz`. May be used from any thread.
package final class Readiness: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isReady: Bool { flag.load(ordering: .acquiring) }

  package func set(_ isReady: Bool) { flag.store(isReady, ordering: .releasing) }
}
