/// Accepts new connections. All workers watch one listening socket; whichever wakes accepts connections and
/// distributes them. Otherwise the first to wake would keep a whole burst of long-lived connections. Confined
/// to the worker's thread.
final class Acceptor {
  /// The most connections accepted in a turn before other work.
  static let eachTurn = 16
  /// The same limit when turns take long, so that waiting connections are accepted within few turns.
  static let whenBehind = 1024
  /// How long a turn accepts connections then. Each takes some 50 microseconds, most of it for its memory.
  static let nanosecondsWhenBehind = 1_000_000
  /// The most idle connections closed in a turn to make room for new ones.
  static let cutForRoom = 256

  private let control: WorkerControl
  /// Limit of the whole server.
  private let connectionLimit: Int
  /// All workers of the server, including this one. Set before the thread starts.
  var peers: [WorkerControl] = []
  /// Released when a drain begins.
  private var listener: Listener?
  private(set) var isAccepting = false
  private var isClosing = false
  /// Whether a stopping worker had no time in this turn to accept all that wait.
  private(set) var goesOn = false

  init(_ listener: Listener, _ control: WorkerControl, connectionLimit: Int) {
    self.listener = listener
    self.control = control
    self.connectionLimit = connectionLimit
  }

  /// Whether connections may still be waiting to be accepted.
  var isOpen: Bool { listener != nil }

  func start() {
    guard !isAccepting, !isClosing, let listener else { return }
    do throws(TransportError) {
      try control.loop.watch(listener.descriptor, as: .listener, isShared: true)
      isAccepting = true
    } catch {
      // The next sweep, or the next connection that closes, tries again.
      isAccepting = false
    }
  }

  /// Accepts what waits for a place, after one became free. A worker that is watching may have been passed over: when several
  /// watch, the system wakes one, which may be short of room still. To watch anew reports those already waiting.
  func useFreedPlace() {
    if listener?.takeShortage() == true { pause() }
    start()
  }

  /// Stops watching the socket until `start`, in the turn in which a connection closes, or in the next sweep. At the limit,
  /// waiting connections must not keep the loop awake.
  private func pause() {
    guard isAccepting, let listener else { return }
    control.loop.unwatch(listener.descriptor)
    isAccepting = false
  }

  /// Accepts up to `count` waiting connections.
  /// - Parameters:
  ///   - makeRoom: cuts up to the given number of idle connections; returns false if there are none.
  ///   - serve: takes a connection already counted in this worker's load.
  ///   - isOver: whether the turn has accepted for long enough; asked after every `eachTurn` connections.
  /// - Returns: true if there was no room and connections were cut; the daemon must close them before more
  ///   are accepted.
  func accept(
    _ count: Int, makeRoom: (Int) -> Bool, serve: (Int32) -> Void, isOver: () -> Bool
  ) -> Bool {
    guard let listener else { return false }
    for number in 0..<count {
      if number > 0, number % Self.eachTurn == 0, isOver() { return false }
      guard hasRoom else { return makeRoomOrPause(makeRoom, isExhausted: false) }
      switch listener.accept() {
      case .connection(let descriptor): assign(descriptor, serve)
      case .nobody: return false
      case .exhausted:
        // Same as the connection limit: descriptors or memory are used up.
        return makeRoomOrPause(makeRoom, isExhausted: true)
      case .refused:
        pause()
        return false
      }
    }
    return false
  }

  private var hasRoom: Bool { peers.reduce(0) { $0 + $1.load } < connectionLimit }

  /// Room for as many connections as are waiting, up to `cutForRoom`.
  private var wantedRoom: Int { min(listener?.waitingConnections ?? 0, Self.cutForRoom) }

  /// Makes room, or asks other workers to and stops listening for a while. Returns true if there will be room
  /// in the next turn.
  private func makeRoomOrPause(_ makeRoom: (Int) -> Bool, isExhausted: Bool) -> Bool {
    if makeRoom(wantedRoom) { return true }
    listener?.noteShortage()
    // A place of another worker that became free before this was noted.
    if !isExhausted, hasRoom { return true }
    askNextForRoom(asked: peers.count - 1)
    pause()
    return false
  }

  /// Asks the next worker for room; a worker that has none to make asks the one after it.
  private func askNextForRoom(asked: Int) {
    guard asked > 0, let position = peers.firstIndex(where: { $0 === control }) else { return }
    peers[(position + 1) % peers.count].askForRoom(asked: asked)
  }

  /// Makes room if another worker asked for it, or passes the request on. Returns true if connections were
  /// cut.
  func makeRoomForPeer(makeRoom: (Int) -> Bool) -> Bool {
    let asked = control.takeRoomWish()
    guard asked > 0 else { return false }
    guard makeRoom(wantedRoom) else {
      askNextForRoom(asked: asked - 1)
      return false
    }
    // The worker that asked has stopped listening, and no other would wake. Listening anew reports those
    // already waiting.
    pause()
    start()
    return true
  }

  /// Gives the connection to the worker with the fewest, preferring this one.
  private func assign(_ descriptor: Int32, _ serve: (Int32) -> Void) {
    var least = control
    for peer in peers where peer.load < least.load { least = peer }
    least.loadChanges(by: 1)
    if least === control { return serve(descriptor) }
    if !least.hand(descriptor) {
      least.loadChanges(by: -1)
      control.loadChanges(by: 1)
      serve(descriptor)
    }
  }

  /// Accepts everything that still waits in the queue, then releases the listener: closing its last
  /// descriptor would reset the waiting connections. Must be called again as long as `isOpen`: in the next turn if
  /// `goesOn`, otherwise there was not enough room.
  /// - Parameter isOver: as in `accept`.
  func acceptRest(serve: (Int32) -> Void, isOver: () -> Bool) {
    isClosing = true
    goesOn = false
    pause()
    for descriptor in control.takeHanded(closing: true) { serve(descriptor) }
    guard let listener else { return }
    var number = 0
    while hasRoom {
      if number > 0, number % Self.eachTurn == 0, isOver() {
        goesOn = true
        return
      }
      number += 1
      switch listener.accept() {
      case .connection(let descriptor):
        control.loadChanges(by: 1)
        serve(descriptor)
      case .nobody:
        self.listener = nil
        return
      case .exhausted, .refused:
        return
      }
    }
  }
}
