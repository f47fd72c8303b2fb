import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// What other threads use of a worker: those that stop the server, and other workers that hand connections
/// over.
final class WorkerControl: Sendable {
  private struct Inbox {
    var descriptors: [Int32] = []
    var isClosed = false
  }

  let loop: EventLoop
  let statistics: WorkerStatistics
  private let isStopping = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let drainEnd = Atomic<Int>(Int.max)
  private let assigned = Atomic<Int>(0)
  private let roomWish = Atomic<Int>(0)
  // For connections handed over; a request takes its way without a lock.
  private let inbox = Mutex(Inbox())

  init(loop: EventLoop, statistics: WorkerStatistics) {
    self.loop = loop
    self.statistics = statistics
  }

  // MARK: - Stopping

  /// Whether the end has been announced: every answer says `Connection: close` from then on.
  var isLeaving: Bool { drainDeadline != Int.max }

  /// When the drain is over, whatever is still going on, in milliseconds of `MonotonicClock`.
  var drainDeadline: Int { drainEnd.load(ordering: .relaxed) }

  /// Announces the end. What was said first counts.
  func leave(until deadline: Int) {
    _ = drainEnd.compareExchange(expected: Int.max, desired: deadline, ordering: .relaxed)
  }

  var shouldStop: Bool { isStopping.load(ordering: .acquiring) }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    loop.wake()
  }

  /// Whether the worker has ended: nothing is served any more.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func end() { isOver.store(true, ordering: .releasing) }

  // MARK: - Connections

  /// Connections that the worker has, or is about to have, and those that linger.
  var load: Int { assigned.load(ordering: .relaxed) }

  func loadChanges(by amount: Int) { assigned.add(amount, ordering: .relaxed) }

  /// Asks the worker to make room for connections that wait, from another's thread.
  /// - Parameter asked: how many workers may be asked, this one among them, until one of them can.
  func askForRoom(asked: Int) {
    roomWish.max(asked, ordering: .relaxed)
    loop.wake()
  }

  /// What `askForRoom` has been called with since the last call; 0: it has not.
  func takeRoomWish() -> Int { roomWish.exchange(0, ordering: .relaxed) }

  /// Gives the worker a connection, from another's thread. `false`: it takes no more.
  func hand(_ descriptor: Int32) -> Bool {
    let isTaken = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.descriptors.append(descriptor) }
      return !inbox.isClosed
    }
    if isTaken { loop.wake() }
    return isTaken
  }

  /// The connections handed over since the last call, now the caller's.
  func takeHanded(closing: Bool = false) -> [Int32] {
    inbox.withLock { inbox in
      let descriptors = inbox.descriptors
      inbox.descriptors = []
      inbox.isClosed = inbox.isClosed || closing
      return descriptors
    }
  }
}
