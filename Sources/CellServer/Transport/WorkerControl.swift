import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The part of a worker used by other threads: to stop the server, and to hand over connections.
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
  private let eventWish = Atomic<Bool>(false)
  // For connections handed over; requests take no lock.
  private let inbox = Mutex(Inbox())

  init(loop: EventLoop, statistics: WorkerStatistics) {
    self.loop = loop
    self.statistics = statistics
  }

  // MARK: - Stopping

  /// Whether the end has been announced; from then on every answer says `Connection: close`.
  var isLeaving: Bool { drainDeadline != Int.max }

  /// When the drain ends, even if requests are still in progress, in milliseconds of `MonotonicClock`.
  var drainDeadline: Int { drainEnd.load(ordering: .relaxed) }

  /// Announces the end. Only the first call sets the deadline.
  func leave(until deadline: Int) {
    _ = drainEnd.compareExchange(expected: Int.max, desired: deadline, ordering: .relaxed)
  }

  var shouldStop: Bool { isStopping.load(ordering: .acquiring) }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    loop.wake()
  }

  /// Whether the worker has ended and serves nothing any more.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func end() { isOver.store(true, ordering: .releasing) }

  // MARK: - Events

  /// Asks the worker, from another thread, to send what is new to its event streams.
  func resumeEventStreams() {
    eventWish.store(true, ordering: .releasing)
    loop.wake()
  }

  /// Whether `resumeEventStreams` was called since the last call.
  func takeEventWish() -> Bool { eventWish.exchange(false, ordering: .acquiring) }

  // MARK: - Connections

  /// The number of connections that the worker has or is about to get, plus lingering sockets.
  var load: Int { assigned.load(ordering: .relaxed) }

  func loadChanges(by amount: Int) { assigned.add(amount, ordering: .relaxed) }

  /// Asks the worker, from another thread, to make room for waiting connections.
  /// - Parameter asked: how many workers may still be asked, including this one.
  func askForRoom(asked: Int) {
    roomWish.max(asked, ordering: .relaxed)
    loop.wake()
  }

  /// The value passed to `askForRoom` since the last call; 0 if it was not called.
  func takeRoomWish() -> Int { roomWish.exchange(0, ordering: .relaxed) }

  /// Hands the worker a connection, from another thread. Returns false if the worker takes no more.
  func hand(_ descriptor: Int32) -> Bool {
    let isTaken = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.descriptors.append(descriptor) }
      return !inbox.isClosed
    }
    if isTaken { loop.wake() }
    return isTaken
  }

  /// The connections handed over since the last call. The caller now owns them.
  func takeHanded(closing: Bool = false) -> [Int32] {
    inbox.withLock { inbox in
      let descriptors = inbox.descriptors
      inbox.descriptors = []
      inbox.isClosed = inbox.isClosed || closing
      return descriptors
    }
  }
}
