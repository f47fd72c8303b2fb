import Dispatch
import Synchronization

/// Runs closures one at a time, at once or after a delay, on its own thread.
///
/// After `init` it needs no new thread or descriptor. Dispatch's queues and timers do, and end the process
/// when descriptors have run out. The thread ends with the object, after running the work that is due; later
/// work is dropped. May be used from any thread.
package final class ThreadQueue: Sendable {
  private struct Item {
    /// In nanoseconds of `MonotonicClock`.
    var due: Int
    var work: @Sendable () -> Void
  }

  /// The state shared by the thread and its clients.
  private final class Shared: Sendable {
    private struct State {
      /// Ordered by due time, then by arrival.
      var items: [Item] = []
      var hasEnded = false
    }

    private enum Action {
      case run(@Sendable () -> Void)
      case wait(nanoseconds: Int?)
      case end
    }

    private let state = Mutex(State())
    private let wakeup = DispatchSemaphore(value: 0)

    func add(_ item: Item) {
      state.withLock { state in
        let position = state.items.firstIndex { $0.due > item.due } ?? state.items.count
        state.items.insert(item, at: position)
      }
      wakeup.signal()
    }

    func end() {
      state.withLock { $0.hasEnded = true }
      wakeup.signal()
    }

    func run() {
      while true {
        switch next() {
        case .run(let work): work()
        case .wait(let nanoseconds?): _ = wakeup.wait(timeout: .now() + .nanoseconds(nanoseconds))
        case .wait(nil): wakeup.wait()
        case .end: return
        }
      }
    }

    private func next() -> Action {
      state.withLock { state in
        let now = MonotonicClock.nanoseconds()
        guard let first = state.items.first, first.due <= now || !state.hasEnded else {
          return state.hasEnded ? .end : .wait(nanoseconds: nil)
        }
        if first.due > now { return .wait(nanoseconds: first.due - now) }
        return .run(state.items.removeFirst().work)
      }
    }
  }

  private let shared = Shared()

  /// - Throws: an error if the process may not have more threads.
  package init(named name: String) throws(TransportError) {
    try SystemThread.start(named: name) { [shared] in shared.run() }
  }

  deinit { shared.end() }

  /// Runs `work` after the delay and after all work due before it.
  package func run(afterSeconds seconds: Double = 0, _ work: @escaping @Sendable () -> Void) {
    shared.add(Item(due: MonotonicClock.nanoseconds() + Int(seconds * 1e9), work: work))
  }
}
