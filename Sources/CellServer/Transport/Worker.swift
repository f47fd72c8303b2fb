import CMicrohttpd
import Cells
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// One thread's share of the server: an event loop, a daemon, and the factory whose executor the loop is.
///
/// Made on the thread that starts the server, and from then on confined to its own: nothing in it is locked.
/// What other threads may touch is in `WorkerControl` and `WorkerStatistics`.
final class Worker {
  typealias MakeFactory = @Sendable (any SerialExecutor) -> CellFactory

  let settings: ServerSettings
  let control: WorkerControl
  let acceptor: Acceptor
  let handler: any RequestHandler
  let factory: CellFactory
  let overload: OverloadPolicy
  let budget: MemoryBudget
  let pool: BufferPool
  let deadlines: Deadlines
  let table = ConnectionTable()
  let sweeper: Sweeper
  // Unchecked, as others below: reached by callbacks that do not nest, one at a time.
  @exclusivity(unchecked) var ids = RequestIDs()
  @exclusivity(unchecked) var prepared = PreparedResponses()
  /// The time of this turn of the loop, in milliseconds of `MonotonicClock`.
  @exclusivity(unchecked) var now = MonotonicClock.milliseconds()
  @exclusivity(unchecked) var lingering = LingeringSockets()
  @exclusivity(unchecked) var draining: Draining?
  /// Whether the library has told of the connection that is being added.
  @exclusivity(unchecked) var hasOpened = false
  // Stopped by `end`, on the worker's thread.
  @exclusivity(unchecked) private(set) var daemon: Daemon?
  @exclusivity(unchecked) var busyTurns = BusyTurns()
  /// Turns in a row after which the daemon has asked for another at once.
  @exclusivity(unchecked) var restlessTurns = 0
  /// When stuck connections are looked for next, if turns are restless then.
  var nextStuckLook = 0
  /// Connections whose answers are being made, or streamed, a slice at a time.
  @exclusivity(unchecked) var works = 0
  /// Whether the library's next complaint is of something that we have had it do.
  @exclusivity(unchecked) var isQuiet = false
  /// Where the library has the target of the request whose line came last.
  @exclusivity(unchecked) var target: UnsafePointer<CChar>?

  init(
    listener: Listener, settings: ServerSettings, handler: any RequestHandler, makeFactory: MakeFactory
  ) throws(TransportError) {
    let loop = try EventLoop()
    self.settings = settings
    self.handler = handler
    control = WorkerControl(loop: loop, statistics: settings.metrics.addWorker())
    factory = makeFactory(loop)
    overload = OverloadPolicy(
      queueSeconds: settings.queueSeconds, works: settings.inFlightRequests, statistics: control.statistics,
      onRefusal: settings.onOverload)
    budget = MemoryBudget(limitBytes: settings.inFlightLimitBytes, overload: overload)
    pool = BufferPool(budget: budget, compression: settings.compression)
    deadlines = Deadlines(settings)
    sweeper = Sweeper(table, deadlines, control.statistics)
    acceptor = Acceptor(listener, control, connectionLimit: settings.connections)
    // Unretained: the daemon is stopped before the worker goes.
    var callbacks = Self.callbacks(context: Unmanaged.passUnretained(self).toOpaque())
    daemon = try Daemon(settings: settings, callbacks: &callbacks)
    do throws(TransportError) {
      if let descriptor = daemon?.epollDescriptor { try loop.watch(descriptor, as: .daemon) }
    } catch {
      daemon?.stop()
      daemon = nil
      throw error
    }
  }

  /// Serves until told to stop, and then until the drain is over. On the worker's own thread.
  func run() {
    control.loop.adoptCurrentThread()
    // Here the runtime is asked, once for all times that `enter` does not.
    factory.preconditionIsolated("the factory has another executor than its loop")
    acceptor.start()
    while !isOver {
      let ready = nextTurn()
      if ready.contains(.jobs) {
        control.loop.runJobs()
        for descriptor in control.takeHanded() { serve(descriptor) }
      }
      let hasMadeRoom =
        (ready.contains(.jobs) && acceptor.makeRoomForPeer(makeRoom: makeRoom))
        || (ready.contains(.listener) && accept())
      if ready.contains(.daemon) || hasMadeRoom { daemon?.run() }
      overload.turnEnds(at: MonotonicClock.milliseconds())
      pool.collect()
      if !lingering.isEmpty { control.loadChanges(by: -lingering.drain(now: now)) }
      if sweeper.isDue(at: now) { sweep() }
      if restlessTurns >= Self.restlessTurnsBeforeLook, now >= nextStuckLook { endStuck() }
      control.statistics.note(heldBytes: budget.heldBytes)
      if control.shouldStop { drain() }
    }
    end()
  }

  /// Stops the daemon, while its factory is still there; before that goes, too, if the thread never started.
  func end() {
    control.loop.adoptCurrentThread()
    daemon?.stop()
    daemon = nil
    pool.collect()
    control.statistics.note(heldBytes: budget.heldBytes)
    control.loop.close()
    control.end()
  }

  /// How long the daemon can wait to be run though nothing is readable; `nil`: for ever.
  var daemonTimeoutMilliseconds: Int? { daemon?.timeoutMilliseconds }
}
