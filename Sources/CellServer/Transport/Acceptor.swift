/// New connections of one worker. All workers watch one queue; whoever is woken takes from it, and shares out what it takes:
/// left to chance, the first to wake would keep a whole burst of long-lived connections for itself. Confined to the
/// worker's thread.
final class Acceptor {
  /// How many are taken before others have their turn.
  static let eachTurn = 16
  /// The same where turns take long: who waits there must not wait for many of them.
  static let whenBehind = 1024
  /// How many are cut at most in a turn so that others find room.
  static let cutForRoom = 256

  private let control: WorkerControl
  /// Of the whole server.
  private let connectionLimit: Int
  /// All workers of the server, this one among them; set before the thread starts.
  var peers: [WorkerControl] = []
  /// Let go of when a drain begins.
  private var listener: Listener?
  private(set) var isAccepting = false
  private var isClosing = false

  init(_ listener: Listener, _ control: WorkerControl, connectionLimit: Int) {
    self.listener = listener
    self.control = control
    self.connectionLimit = connectionLimit
  }

  /// Whether connections may wait that are still to be taken.
  var isOpen: Bool { listener != nil }

  func start() {
    guard !isAccepting, !isClosing, let listener else { return }
    do throws(TransportError) {
      try control.loop.watch(listener.descriptor, as: .listener, isShared: true)
      isAccepting = true
    } catch {
      // Tried again by the next sweep.
      isAccepting = false
    }
  }

  /// Until it is started again: at the limit, waiting connections must not keep the loop awake.
  private func pause() {
    guard isAccepting, let listener else { return }
    control.loop.unwatch(listener.descriptor)
    isAccepting = false
  }

  /// Takes at most `count` connections that wait. True: none could be taken, and others have been cut for them, which the
  /// daemon is to close before more are.
  /// - Parameters:
  ///   - makeRoom: cuts at most so many idle connections; false: there are none.
  ///   - serve: takes a connection that is counted in this worker's load.
  func accept(_ count: Int, makeRoom: (Int) -> Bool, serve: (Int32) -> Void) -> Bool {
    guard let listener else { return false }
    for _ in 0..<count {
      guard hasRoom else { return makeRoomOrPause(makeRoom) }
      switch listener.accept() {
      case .connection(let descriptor): assign(descriptor, serve)
      case .nobody: return false
      case .exhausted:
        // The same as the limit of connections, only that others have used up what there is.
        return makeRoomOrPause(makeRoom)
      }
    }
    return false
  }

  private var hasRoom: Bool { peers.reduce(0) { $0 + $1.load } < connectionLimit }

  /// As many as wait are to find room.
  private var wantedRoom: Int { min(listener?.waitingConnections ?? 0, Self.cutForRoom) }

  /// Makes room, or has other workers do so, and listens no longer for a while. True: there is room in the next turn.
  private func makeRoomOrPause(_ makeRoom: (Int) -> Bool) -> Bool {
    if makeRoom(wantedRoom) { return true }
    askNextForRoom(asked: peers.count - 1)
    pause()
    return false
  }

  /// Asks the other workers one after another: each that cannot make room asks the next.
  private func askNextForRoom(asked: Int) {
    guard asked > 0, let place = peers.firstIndex(where: { $0 === control }) else { return }
    peers[(place + 1) % peers.count].askForRoom(asked: asked)
  }

  /// Makes room if another worker has asked for it, or asks the next one. True: connections have been cut.
  func makeRoomForPeer(makeRoom: (Int) -> Bool) -> Bool {
    let asked = control.takeRoomWish()
    guard asked > 0 else { return false }
    guard makeRoom(wantedRoom) else {
      askNextForRoom(asked: asked - 1)
      return false
    }
    // Who has asked does not listen any more, and nobody else would be woken: to listen anew tells of those who wait.
    pause()
    start()
    return true
  }

  /// Gives the connection to the worker that has fewest; this one, if it is among them.
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

  /// Takes all that still wait in the queue, and lets go of it: closing its last descriptor would reset them. Where there
  /// is no room for them yet it is to be called again.
  func acceptRest(serve: (Int32) -> Void) {
    isClosing = true
    pause()
    for descriptor in control.takeHanded(closing: true) { serve(descriptor) }
    guard let listener else { return }
    while hasRoom {
      switch listener.accept() {
      case .connection(let descriptor):
        control.loadChanges(by: 1)
        serve(descriptor)
      case .nobody:
        self.listener = nil
        return
      case .exhausted:
        return
      }
    }
  }
}
