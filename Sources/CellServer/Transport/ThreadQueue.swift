import Dispatch
import Synchronization

/// Runs pieces of work one after another, at once or later, on a thread of its own.
///
/// After `init` it needs no thread and no descriptor, as Dispatch's queues and timers do: those end the process when
/// descriptors have run out. The thread ends with the object, after the work that is due; what was to be done later is
/// dropped. Any thread.
package final class ThreadQueue: Sendable {
  private struct Item {
    /// In nanoseconds of `MonotonicClock`.
    var due: Int
    var work: @Sendable () -> Void
  }

  /// What the thread shares with those who ask.
  private final class Shared: Sendable {
    private struct State {
      /// By when they are due, in the order in which they came.
      var items: [Item] = []
      var hasEnded = false
    }

    private enum Step {
      case run(@Sendable () -> Void)
      case wait(nanoseconds: Int?)
      case end
    }

    private let state = Mutex(State())
    private let wakeup = DispatchSemaphore(value: 0)

    func add(_ item: Item) {
      state.withLock { state in
        let place = state.items.firstIndex { $0.due > item.due } ?? state.items.count
        state.items.insert(item, at: place)
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

    private func next() -> Step {
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

  /// - Throws: where the process may have no more threads.
  package init(named name: String) throws(TransportError) {
    try SystemThread.start(named: name) { [shared] in shared.run() }
  }

  deinit { shared.end() }

  /// Runs `work` after what is due before it.
  package func run(afterSeconds seconds: Double = 0, _ work: @escaping @Sendable () -> Void) {
    shared.add(Item(due: MonotonicClock.nanoseconds() + Int(seconds * 1e9), work: work))
  }
}
