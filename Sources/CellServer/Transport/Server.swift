package import CellTemplates
package import Cells
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The HTTP server: one listening address and the workers that share it.
///
/// Call `start` once, `stop` from any thread, and `wait` for the end. TLS is left to a proxy in front.
package final class Server: Sendable {
  private struct State {
    var controls: [WorkerControl] = []
    var factories: [CellFactory] = []
    /// Makes a worker's factory. nil from `start` on, because it holds the archive that is served first.
    var makeFactory: FactoryMaker?
  }

  package let settings: ServerSettings
  package let readiness: Readiness
  private let handler: any RequestHandler
  private let state: Mutex<State>
  /// The threads not yet joined. The lock is held while joining, so that all waiting callers return together.
  private let threads = Mutex<[pthread_t]>([])

  package typealias FactoryMaker = @Sendable (any SerialExecutor) -> CellFactory

  /// - Parameters:
  ///   - readiness: what the readiness endpoint reports. `start` sets it; `leave` and `stop` clear it first.
  ///   - makeFactory: makes a worker's factory on the given executor.
  package init(
    settings: ServerSettings, readiness: Readiness = Readiness(), handler: any RequestHandler,
    makeFactory: @escaping FactoryMaker
  ) {
    precondition(settings.workers >= 1, "a server has at least one worker")
    self.settings = settings
    self.readiness = readiness
    self.handler = handler
    state = Mutex(State(makeFactory: makeFactory))
  }

  deinit {
    stop()
    wait()
  }

  /// Whether the server welcomes new requests; false before `start` and once stopping begins.
  package var isReady: Bool { readiness.isReady }

  /// The connections that may be open, valid after `start`. Fewer than configured if the process may not open
  /// that many files.
  package var connectionLimit: Int { settings.metrics.connectionLimit }

  /// One for each worker.
  package var statistics: [WorkerStatistics] { state.withLock { $0.controls.map(\.statistics) } }

  /// Listens and serves. Returns as soon as connections are accepted. Must be called only once.
  ///
  /// From then on, the process ignores SIGPIPE and SIGXFSZ, and its limit of open files is raised to the maximum.
  package func start() throws(TransportError) -> ServerAddress {
    guard let makeFactory = state.withLock({ $0.makeFactory.take() }) else {
      preconditionFailure("a server starts once")
    }
    signal(SIGPIPE, SIG_IGN)
    // A log that may not grow any more is like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    Self.raiseDescriptorLimit()

    var settings = settings
    if let limit = Self.descriptorLimit {
      let open = settings.metrics.process.openDescriptors ?? 0
      if limit - open < settings.leastDescriptors {
        throw .noDescriptors(limit: limit, needed: open + settings.descriptors)
      }
      settings.connections = settings.connections(within: limit - open)
    }
    settings.metrics.note(
      connectionLimit: settings.connections, inFlightLimitBytes: settings.inFlightLimitBytes)
    let listener = try Listener(settings.address)
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

  /// Starts the threads of all workers, or ends all workers.
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

  /// Makes every worker use another archive for the requests that begin from then on. Returns when all have
  /// adopted it. A request in progress keeps its archive to its last row, but after the third call an answer that is still
  /// being made is refused, and a client that still takes its answer is cut off.
  package func adopt(_ archive: CellArchive) async {
    // Made once, and not on a worker's thread.
    let names = JSONNames(of: archive)
    await withDiscardingTaskGroup { group in
      for (factory, control) in state.withLock({ zip($0.factories, $0.controls) }) {
        group.addTask {
          await factory.adopt(archive, names: names)
          control.statistics.countAdoption()
          await factory.report(to: control.statistics)
        }
      }
    }
    handler.noteAdoption(of: archive)
  }

  /// Makes every event stream ask its work for what is new. Returns at once; may be called from any thread.
  package func resumeEventStreams() {
    for control in state.withLock({ $0.controls }) { control.resumeEventStreams() }
  }

  /// Announces the end: the server is no longer ready, and every answer closes its connection. Everything
  /// else continues, so that clients and proxies have time to notice. Starts the drain time. Returns at once;
  /// may be called repeatedly.
  package func leave() {
    readiness.set(false)
    let deadline = MonotonicClock.milliseconds() + Int(settings.drainSeconds * 1000)
    for control in state.withLock({ $0.controls }) { control.leave(until: deadline) }
  }

  /// Begins to stop, announced or not. Waiting connections are still accepted, no others; requests in flight
  /// are answered. Returns at once; may be called repeatedly.
  package func stop() {
    leave()
    for control in state.withLock({ $0.controls }) { control.stop() }
  }

  /// Whether every worker has ended after `stop`.
  package var hasEnded: Bool { state.withLock { $0.controls.allSatisfy(\.hasEnded) } }

  /// Blocks until every worker has ended after `stop`.
  package func wait() {
    threads.withLock { threads in
      for thread in threads { pthread_join(thread, nil) }
      threads = []
    }
  }

  private static func startThread(of worker: Worker, number: Int) throws(TransportError) -> pthread_t {
    // The thread takes over the only reference used while it runs, and releases it.
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

  /// How many files the process may have open; `nil` means no limit.
  package static var descriptorLimit: Int? { ProcessStatistics.descriptorLimit }

  /// Each connection needs a descriptor, and the usual soft limit is lower than the default number of
  /// connections.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
