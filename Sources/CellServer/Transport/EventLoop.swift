import CMicrohttpd
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// One thread's event loop. It waits for descriptors and runs the jobs of the actors that use it as their
/// executor.
///
/// Jobs run in order of arrival, exactly once each, and only in `runJobs`, so never inside a callback of the
/// C library. After `close`, a thread created on demand runs any further jobs, because an actor may outlive
/// its loop.
///
/// The actor keeps the loop alive; `UnownedSerialExecutor` does not.
package final class EventLoop: SerialExecutor {
  /// What `wait` found ready.
  package struct Ready: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let jobs = Ready(rawValue: 1)
    package static let daemon = Ready(rawValue: 2)
    package static let listener = Ready(rawValue: 4)
  }

  private struct Queue {
    var jobs: [UnownedJob] = []
    var isClosed = false
    /// Set after the close while a thread is emptying the queue.
    var isBeingEmptied = false
  }

  // The lock protects jobs only; requests take no lock.
  private let queue = Mutex(Queue())
  /// The loop's thread; 0 before it begins and after it ends.
  private let thread = Atomic<pthread_t>(0)
  // Both are open until `deinit`.
  private let epoll: Int32
  private let wakeup: Int32

  package init() throws(TransportError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .lastCall("epoll_create1") }
    wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard wakeup >= 0 else {
      let failure = TransportError.lastCall("eventfd")
      Glibc.close(epoll)
      throw failure
    }
    try watch(wakeup, as: .jobs)
  }

  deinit {
    Glibc.close(wakeup)
    Glibc.close(epoll)
  }

  // MARK: - The loop's thread

  /// Makes `wait` report when the descriptor is readable. The caller owns the descriptor, which must stay
  /// open while it is watched.
  ///
  /// - Parameter isShared: other loops watch it too, and waking one of them is enough.
  func watch(_ descriptor: Int32, as ready: Ready, isShared: Bool = false) throws(TransportError) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (isShared ? EPOLLEXCLUSIVE.rawValue : 0)
    event.data.u32 = UInt32(ready.rawValue)
    // EEXIST means that an `unwatch` failed.
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 || errno == EEXIST else {
      throw .lastCall("epoll_ctl")
    }
  }

  func unwatch(_ descriptor: Int32) { epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }

  /// Makes the calling thread the loop's thread until `close`.
  package func adoptCurrentThread() { thread.store(pthread_self(), ordering: .releasing) }

  /// Waits until something is ready or `milliseconds` have passed; -1 waits forever.
  package func wait(milliseconds: Int32) -> Ready {
    var events = (epoll_event(), epoll_event(), epoll_event())
    let count = withUnsafeMutableBytes(of: &events) { bytes in
      // A tuple of three has the layout of an array of three. The pointer is used only within the call.
      epoll_wait(epoll, bytes.baseAddress?.assumingMemoryBound(to: epoll_event.self), 3, milliseconds)
    }
    var ready: Ready = []
    if count > 0 { ready.formUnion(Ready(rawValue: UInt8(truncatingIfNeeded: events.0.data.u32))) }
    if count > 1 { ready.formUnion(Ready(rawValue: UInt8(truncatingIfNeeded: events.1.data.u32))) }
    if count > 2 { ready.formUnion(Ready(rawValue: UInt8(truncatingIfNeeded: events.2.data.u32))) }
    if ready.contains(.jobs) {
      var ignored: UInt64 = 0
      read(wakeup, &ignored, MemoryLayout<UInt64>.size)
    }
    return ready
  }

  /// Runs the jobs that have arrived. Must be called on the loop's thread, outside callbacks.
  package func runJobs() {
    precondition(isCurrent, "jobs run on the loop's thread only")
    let jobs = queue.withLock { queue in
      let jobs = queue.jobs
      queue.jobs = []
      return jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Ends the loop on its thread. Runs the jobs that have arrived and leaves later ones to `emptyAfterClose`.
  package func close() {
    while true {
      runJobs()
      let isEmpty = queue.withLock { queue in
        queue.isClosed = queue.jobs.isEmpty
        return queue.isClosed
      }
      if isEmpty { break }
    }
    thread.store(0, ordering: .releasing)
  }

  // MARK: - Any thread

  /// Ends the current `wait`, or the next one.
  package func wake() {
    var one: UInt64 = 1
    write(wakeup, &one, MemoryLayout<UInt64>.size)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = queue.withLock { queue in
      queue.jobs.append(job)
      guard queue.isClosed, !queue.isBeingEmptied else { return false }
      queue.isBeingEmptied = true
      return true
    }
    guard needsThread else { return wake() }
    do throws(TransportError) {
      try SystemThread.start(named: "cells-late") { self.emptyAfterClose() }
    } catch {
      // No thread could be created. A closed loop runs no jobs elsewhere, so this thread may run them.
      emptyAfterClose()
    }
  }

  private func emptyAfterClose() {
    adoptCurrentThread()
    while true {
      runJobs()
      let isEmpty = queue.withLock { queue in
        // Must happen before the next thread can start.
        if queue.jobs.isEmpty {
          thread.store(0, ordering: .releasing)
          queue.isBeingEmptied = false
        }
        return queue.jobs.isEmpty
      }
      if isEmpty { return }
    }
  }

  /// Whether the calling thread is the loop's.
  var isCurrent: Bool { pthread_equal(thread.load(ordering: .acquiring), pthread_self()) != 0 }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  package func checkIsolated() {
    precondition(isCurrent, "this must run on the event loop's thread")
  }
}
