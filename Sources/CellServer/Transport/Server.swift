package import CellTemplates
package import Cells
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The HTTP server: one listening address, and workers that share it.
///
/// `start` once, `stop` from any thread, `wait` for the end. TLS is the business of the proxy in front.
package final class Server: Sendable {
  private struct State {
    var controls: [WorkerControl] = []
    var factories: [CellFactory] = []
    var hasStarted = false
  }

  package let settings: ServerSettings
  package let readiness: Readiness
  private let handler: any RequestHandler
  private let makeFactory: @Sendable (any SerialExecutor) -> CellFactory
  private let state = Mutex(State())
  /// The threads not yet joined. Held while they are, so that all who wait go on together.
  private let threads = Mutex<[pthread_t]>([])

  /// - Parameters:
  ///   - readiness: for a handler that answers for it; becomes ready in `start`, and unready first thing in
  ///     `stop`.
  ///   - makeFactory: makes each worker's factory, on the executor it is given.
  package init(
    settings: ServerSettings, readiness: Readiness = Readiness(), handler: any RequestHandler,
    makeFactory: @escaping @Sendable (any SerialExecutor) -> CellFactory
  ) {
    precondition(settings.workers >= 1, "a server has at least one worker")
    self.settings = settings
    self.readiness = readiness
    self.handler = handler
    self.makeFactory = makeFactory
  }

  deinit {
    stop()
    wait()
  }

  /// Whether new requests are welcome; false before the start and from the beginning of a stop.
  package var isReady: Bool { readiness.isReady }

  /// Connections that may be open, after the start: fewer than were asked for where the process may not open so many files.
  package var connectionLimit: Int { settings.metrics.connectionLimit }

  /// One for each worker.
  package var statistics: [WorkerStatistics] { state.withLock { $0.controls.map(\.statistics) } }

  /// Listens and serves; returns as soon as connections are accepted. To be called once.
  ///
  /// The process ignores SIGPIPE from then on, and may open as many files as it is allowed to.
  package func start() throws(TransportError) -> BoundAddress {
    state.withLock { state in
      precondition(!state.hasStarted, "a server starts once")
      state.hasStarted = true
    }
    signal(SIGPIPE, SIG_IGN)
    Self.raiseDescriptorLimit()

    var settings = settings
    if let limit = Self.descriptorLimit {
      let open = settings.metrics.process.openDescriptors ?? 0
      settings.connections = settings.connections(within: limit - open)
    }
    settings.metrics.note(
      connectionLimit: settings.connections, inFlightLimitBytes: settings.inFlightLimitBytes)
    let listener = try Listener(host: settings.host, port: settings.port)
    var workers: [Worker] = []
    do throws(TransportError) {
      for _ in 0..<settings.workers {
        workers.append(
          try Worker(
            listener: listener, settings: settings, handler: handler, makeFactory: makeFactory))
      }
    } catch {
      for worker in workers { worker.end() }
      throw error
    }
    let controls = workers.map(\.control)
    for worker in workers { worker.acceptor.peers = controls }
    let factories = workers.map(\.factory)
    state.withLock { ($0.controls, $0.factories) = (controls, factories) }
    try startThreads(of: workers)
    readiness.set(true)
    return listener.address
  }

  /// Starts all of the workers' threads, or ends all of the workers.
  private func startThreads(of workers: [Worker]) throws(TransportError) {
    var started: [pthread_t] = []
    do throws(TransportError) {
      for (number, worker) in workers.enumerated() {
        started.append(try Self.startThread(of: worker, number: number))
      }
    } catch {
      for worker in workers[..<started.count] {
        worker.control.leave(until: MonotonicClock.milliseconds())
        worker.control.stop()
      }
      for thread in started { pthread_join(thread, nil) }
      for worker in workers[started.count...] { worker.end() }
      throw error
    }
    threads.withLock { $0 = started }
  }

  /// Has every worker take another archive for the requests that begin from then on; returns when all have it. A request
  /// that is being answered keeps the one it began with, to its last row.
  package func adopt(_ archive: CellArchive) async {
    // Made once, and not on a worker's thread.
    let names = JSONNames(of: archive)
    await withDiscardingTaskGroup { group in
      for (factory, control) in state.withLock({ zip($0.factories, $0.controls) }) {
        group.addTask {
          await factory.adopt(archive, names: names)
          await factory.report(to: control.statistics)
        }
      }
    }
  }

  /// Announces the end: not ready any more, and every answer closes its connection; all else goes on, so that those who
  /// send requests have time to notice. The time to drain begins. Returns at once; again and again does no harm.
  package func leave() {
    readiness.set(false)
    let deadline = MonotonicClock.milliseconds() + Int(settings.drainSeconds * 1000)
    for control in state.withLock({ $0.controls }) { control.leave(until: deadline) }
  }

  /// Begins the end, announced or not: no new connections but those that wait already, the requests in flight are
  /// answered. Returns at once; again and again does no harm.
  package func stop() {
    leave()
    for control in state.withLock({ $0.controls }) { control.stop() }
  }

  /// Whether every worker has ended after a `stop`.
  package var hasEnded: Bool { state.withLock { $0.controls.allSatisfy(\.hasEnded) } }

  /// Blocks until every worker has ended after a `stop`.
  package func wait() {
    threads.withLock { threads in
      for thread in threads { pthread_join(thread, nil) }
      threads = []
    }
  }

  private static func startThread(of worker: Worker, number: Int) throws(TransportError) -> pthread_t {
    // The worker goes over to its thread with the only reference that is used while it runs; the thread lets
    // go of it.
    nonisolated(unsafe) let handedOver = Unmanaged.passRetained(worker)
    do throws(TransportError) {
      return try SystemThread.start(named: "cells-\(number)", joinable: true) {
        let worker = handedOver.takeRetainedValue()
        worker.run()
      }
    } catch {
      handedOver.release()
      throw error
    }
  }

  /// How many files the process may have open; `nil`: as many as it likes.
  package static var descriptorLimit: Int? { ProcessStatistics.descriptorLimit }

  /// Connections are descriptors, and the usual soft limit is below the usual number of connections.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
