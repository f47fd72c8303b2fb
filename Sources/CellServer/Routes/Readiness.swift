import Synchronization

/// Whether new work is welcome; what `/readyz` tells. Any thread.
package final class Readiness: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isReady: Bool { flag.load(ordering: .acquiring) }

  package func set(_ isReady: Bool) { flag.store(isReady, ordering: .releasing) }
}
