import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// New connections. All workers watch one queue; whoever is woken takes from it, and shares out what it takes:
// left to chance, the first to wake would keep a whole burst of long-lived connections for itself.
extension Worker {
  /// How many are taken before others have their turn.
  static let acceptedEachTurn = 16
  /// The same where turns take long: who waits there must not wait for many of them.
  static let acceptedWhenBehind = 1024
  /// How long a connection must have been idle to be cut for others.
  static let roomAfterMilliseconds = 1000
  /// How many are looked at for that in a turn, and how many are cut at most.
  static let lookedAtForRoom = 4096
  static let cutForRoom = 256

  func startAccepting() {
    guard !isAccepting, draining == nil, let listener else { return }
    do throws(TransportError) {
      try control.loop.watch(listener.descriptor, as: .listener, isShared: true)
      isAccepting = true
    } catch {
      // Tried again by the next sweep.
      isAccepting = false
    }
  }

  /// Until the next sweep: at the limit, waiting connections must not keep the loop awake.
  private func pauseAccepting() {
    guard isAccepting, let listener else { return }
    control.loop.unwatch(listener.descriptor)
    isAccepting = false
  }

  /// Takes connections that wait. True: none could be taken, and others have been cut for them, which the daemon is to
  /// close before more are.
  func accept() -> Bool {
    guard let listener else { return false }
    for _ in 0..<(overload.isBehind ? Self.acceptedWhenBehind : Self.acceptedEachTurn) {
      guard peers.reduce(0, { $0 + $1.load }) < settings.connections else {
        return makeRoomOrPause()
      }
      switch listener.accept() {
      case .connection(let descriptor): assign(descriptor)
      case .nobody: return false
      case .exhausted:
        // The same as the limit of connections, only that others have used up what there is.
        return makeRoomOrPause()
      }
    }
    return false
  }

  /// Makes room, or has other workers do so, and listens no longer for a while. True: there is room in the next turn.
  private func makeRoomOrPause() -> Bool {
    if makeRoom() { return true }
    askNextForRoom(asked: peers.count - 1)
    pauseAccepting()
    return false
  }

  /// Asks the other workers one after another: each that cannot make room asks the next.
  private func askNextForRoom(asked: Int) {
    guard asked > 0, let place = peers.firstIndex(where: { $0 === control }) else { return }
    peers[(place + 1) % peers.count].askForRoom(asked: asked)
  }

  /// Makes room if another worker has asked for it, or asks the next one. True: connections have been cut.
  func makeRoomForPeer() -> Bool {
    let asked = control.takeRoomWish()
    guard asked > 0 else { return false }
    guard makeRoom() else {
      askNextForRoom(asked: asked - 1)
      return false
    }
    // Who has asked does not listen any more, and nobody else would be woken: to listen anew tells of those who wait.
    pauseAccepting()
    startAccepting()
    return true
  }

  /// Cuts as many connections as wait, those that have been idle longest, so that those who do nothing do not keep others
  /// out. They are gone in the next turn. False: there is none that has been idle for a while.
  private func makeRoom() -> Bool {
    let wanted = min(listener?.waitingConnections ?? 0, Self.cutForRoom)
    var idle: [(since: Int, connection: ClientConnection)] = []
    for _ in 0..<min(connections.count, Self.lookedAtForRoom) {
      if nextForRoom >= connections.count { nextForRoom = 0 }
      let connection = connections[nextForRoom]
      nextForRoom += 1
      guard case .waiting(let waiting) = connection.state, now - waiting.since >= Self.roomAfterMilliseconds
      else { continue }
      idle.append((waiting.since, connection))
    }
    idle.sort { $0.since < $1.since }
    var count = 0
    // A request may have come in the meantime.
    for (_, connection) in idle where count < wanted && cf_readable_bytes(connection.descriptor) == 0 {
      cut(connection)
      control.statistics.countCut(.room)
      count += 1
    }
    return count > 0
  }

  /// Gives the connection to the worker that has fewest; this one, if it is among them.
  private func assign(_ descriptor: Int32) {
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

  /// Serves what other workers have handed over.
  func serveHanded(closing: Bool = false) {
    for descriptor in control.takeHanded(closing: closing) { serve(descriptor) }
  }

  /// The connection is counted in the load already, until it closes. Where the daemon refuses it late, it has told of its
  /// start, and of its close, which has counted it out.
  private func serve(_ descriptor: Int32) {
    hasOpened = false
    if daemon?.add(descriptor) != true, !hasOpened { control.loadChanges(by: -1) }
  }

  /// Takes all that still wait in the queue, and lets go of it: closing its last descriptor would reset them. Where there
  /// is no room for them yet it is to be called again.
  func acceptRest() {
    pauseAccepting()
    serveHanded(closing: true)
    guard let listener else { return }
    while peers.reduce(0, { $0 + $1.load }) < settings.connections {
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
