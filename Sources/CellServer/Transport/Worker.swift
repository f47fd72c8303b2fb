import CMicrohttpd
import Cells
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// One thread of the server: an event loop, a daemon, and a factory that uses the loop as its executor.
///
/// Created on the thread that starts the server and confined to its own thread afterwards, so nothing is
/// locked. What other threads may use is in `WorkerControl` and `WorkerStatistics`.
final class Worker {
  let settings: ServerSettings
  let control: WorkerControl
  let acceptor: Acceptor
  let handler: any RequestHandler
  let factory: CellFactory
  let overload: OverloadPolicy
  let budget: MemoryBudget
  let pool: BufferPool
  let responses: ResponseMaker
  let deadlines: Deadlines
  let table = ConnectionTable()
  let sweeper: Sweeper
  let eventStreams = SuspendedStreams()
  let heldBodies = HeldBodies()
  // Exclusivity checks are off here and below for what each request accesses, because a check costs more than the
  // access: the variables are accessed by callbacks that do not nest.
  @exclusivity(unchecked) var ids = RequestIDs()
  /// The time of this turn of the loop, in milliseconds of `MonotonicClock`.
  @exclusivity(unchecked) var now = MonotonicClock.milliseconds()
  var lingering = LingeringSockets()
  var drain: Drain?
  /// Whether libmicrohttpd has reported the start of the connection being added.
  var hasOpened = false
  // Stopped by `end`, on the worker's thread.
  @exclusivity(unchecked) private(set) var daemon: Daemon?
  @exclusivity(unchecked) var busyTurns = BusyTurns()
  @exclusivity(unchecked) var waitingTurns = WaitingTurns()
  @exclusivity(unchecked) var shares = TurnShares()
  /// The start of the turn since which every run of the daemon has left connections that are ready, in nanoseconds; 0 if
  /// the last run took all.
  @exclusivity(unchecked) var leftSince = 0
  /// Whether a place for a connection has become free in this turn.
  @exclusivity(unchecked) var hasFreedPlace = false
  /// Cut connections that libmicrohttpd has not closed yet.
  var closingConnections = 0
  var stuckBodies = StuckBodies()
  /// The number of connections whose answers are made or streamed in slices.
  @exclusivity(unchecked) var slicedAnswers = 0
  /// Whether the next message of libmicrohttpd is about something the worker caused on purpose.
  var isQuiet = false
  /// libmicrohttpd's copy of the target of the latest request line.
  @exclusivity(unchecked) var target: UnsafePointer<CChar>?

  init(
    listener: Listener, settings: ServerSettings, handler: any RequestHandler,
    makeFactory: Server.FactoryMaker
  ) throws(TransportError) {
    let loop = try EventLoop()
    self.settings = settings
    self.handler = handler
    control = WorkerControl(loop: loop, statistics: settings.metrics.addWorker())
    factory = makeFactory(loop)
    overload = OverloadPolicy(
      queueSeconds: settings.queueSeconds, slots: settings.inFlightRequests, statistics: control.statistics,
      onRefusal: settings.onOverload)
    budget = MemoryBudget(limitBytes: settings.inFlightLimitBytes, overload: overload)
    pool = BufferPool(budget: budget, compression: settings.compression)
    responses = ResponseMaker(settings, pool: pool, budget: budget)
    deadlines = Deadlines(settings)
    sweeper = Sweeper(table, deadlines, control.statistics)
    acceptor = Acceptor(listener, control, connectionLimit: settings.connections)
    // The daemon is stopped before the worker is released.
    var callbacks = DaemonCallbacks.of(self)
    daemon = try Daemon(settings: settings, callbacks: &callbacks)
    do throws(TransportError) {
      if let descriptor = daemon?.epollDescriptor { try loop.watch(descriptor, as: .daemon) }
    } catch {
      daemon?.stop()
      daemon = nil
      throw error
    }
  }

  /// Serves until it is asked to stop and the drain is over. Runs on the worker's own thread.
  func run() {
    control.loop.adoptCurrentThread()
    // The one runtime check on which every `enter` relies.
    factory.preconditionIsolated("the factory must use the loop as its executor")
    DiscardedMemory.defer()
    Daemon.limitRuns()
    acceptor.start()
    while !isOver {
      let ready = nextTurn()
      var isDaemonReady = ready.contains(.daemon)
      if ready.contains(.jobs) {
        control.loop.runJobs()
        for descriptor in control.takeHanded() { serve(descriptor) }
        if control.takeEventWish() { eventStreams.noteNews() }
      }
      if eventStreams.resumeDue(at: now) { isDaemonReady = true }
      if heldBodies.resumeSome(at: now) { isDaemonReady = true }
      let hasMadeRoom =
        (ready.contains(.jobs) && acceptor.makeRoomForPeer(makeRoom: makeRoom))
        || (ready.contains(.listener) && accept())
      if isDaemonReady || hasMadeRoom { runDaemon() }
      overload.turnEnds(at: MonotonicClock.milliseconds(), oldest: shares.oldestMilliseconds)
      pool.collect()
      giveBackMemory()
      if !lingering.isEmpty { freePlaces(lingering.drain(now: now)) }
      if hasFreedPlace {
        hasFreedPlace = false
        acceptor.useFreedPlace()
      }
      if sweeper.isDue(at: now) { sweep() }
      if stuckBodies.isDue(at: now) { refuseStuck() }
      control.statistics.note(heldBytes: budget.heldBytes)
      if control.shouldStop { goOnDraining() }
    }
    end()
  }

  /// Stops the daemon while its factory still exists. Also called if the thread never started.
  func end() {
    control.loop.adoptCurrentThread()
    // libmicrohttpd must not stop with suspended connections.
    eventStreams.resumeAll(at: now)
    heldBodies.resumeAll(at: now)
    daemon?.stop()
    daemon = nil
    pool.collect()
    control.statistics.note(heldBytes: budget.heldBytes)
    control.loop.close()
    DiscardedMemory.end()
    control.end()
  }

  /// Whether the loop has nothing left to do after a stop.
  private var isOver: Bool {
    guard let drain else { return false }
    return (table.isEmpty && lingering.isEmpty && !acceptor.isOpen) || drain.isOver(at: now)
  }

  // MARK: Turns

  /// Waits until there is something to do, and returns it.
  private func nextTurn() -> EventLoop.Ready {
    let statistics = control.statistics
    statistics.turnEnds()
    defer {
      now = statistics.latestNanoseconds / 1_000_000
      overload.turnBegins(at: now)
      shares.turnBegins(at: statistics.turnBegan, requestsInFlight: statistics.inFlight)
      heldBodies.turnBegins()
    }
    if busyTurns.next(answers: statistics.requests, at: statistics.latestNanoseconds) {
      statistics.turnFollows()
      return .daemon
    }
    var limit = waitLimit()
    let isRestless = limit == 0
    stuckBodies.noteTurn(isRestless: isRestless)
    if isRestless { limit = waitingTurns.pause }
    waitingTurns.end()
    var ready = control.loop.wait(milliseconds: limit)
    statistics.turnBegins()
    busyTurns.looked(at: statistics.latestNanoseconds)
    // If nothing is ready, the wait timed out, and the daemon may have set the timeout.
    if ready.isEmpty || isRestless { ready.insert(.daemon) }
    return ready
  }

  /// How long the loop may sleep: never longer than the daemon allows, or buffered data would be stuck.
  private func waitLimit() -> Int32 {
    if DiscardedMemory.bytes > 0 || eventStreams.hasDue || sweeper.isGoingOn || acceptor.goesOn
      || !heldBodies.isEmpty
    {
      return 0
    }
    var limit = daemon?.timeoutMilliseconds ?? Int.max
    if !table.isEmpty || !acceptor.isAccepting { limit = min(limit, Sweeper.milliseconds) }
    if !lingering.isEmpty || drain != nil { limit = min(limit, LingeringSockets.pollMilliseconds) }
    return limit == Int.max ? -1 : Int32(clamping: limit)
  }

  /// Gives the pages of large freed blocks back to the system, a part in each turn: 4 MiB take up to a millisecond.
  private func giveBackMemory() {
    if DiscardedMemory.bytes > 0 { DiscardedMemory.drop(Self.bytesGivenBack) }
  }

  private static let bytesGivenBack = 4 << 20

  /// The most runs of the daemon in a turn, and how long it may have read when it begins one: what a head costs depends on
  /// what its client has sent. Answers do not count, so that they keep nobody from being read.
  private static let runsEachTurn = 6
  private static let readingNanoseconds = 1_500_000
  /// How long it may have read if answers have taken longer than `answeringNanoseconds`.
  private static let shorterReadingNanoseconds = 750_000
  private static let answeringNanoseconds = 1_000_000

  private func runDaemon() {
    var leavesSome = daemon?.run() ?? false
    countSending()
    if leavesSome {
      var runs = 1
      while leavesSome, runs < Self.runsEachTurn {
        let answering = shares.answeringNanoseconds
        let reading = MonotonicClock.nanoseconds() - control.statistics.turnBegan - answering
        let limit =
          answering < Self.answeringNanoseconds ? Self.readingNanoseconds : Self.shorterReadingNanoseconds
        if reading >= limit { break }
        shares.runBegins()
        leavesSome = daemon?.run() ?? false
        countSending()
        runs += 1
      }
    }
    if !leavesSome { leftSince = 0 } else if leftSince == 0 { leftSince = control.statistics.turnBegan }
  }
}
