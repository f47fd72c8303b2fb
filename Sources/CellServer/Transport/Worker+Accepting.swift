#if canImport(Glibc)
  import Glibc
#endif

// New connections. All workers watch one queue; whoever is woken takes from it, and shares out what it takes:
// left to chance, the first to wake would keep a whole burst of long-lived connections for itself.
extension Worker {
  /// How many are taken before others have their turn.
  static let acceptedEachTurn = 16

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

  func accept() {
    guard let listener else { return }
    for _ in 0..<Self.acceptedEachTurn {
      guard peers.reduce(0, { $0 + $1.load }) < settings.connections else { return pauseAccepting() }
      switch listener.accept() {
      case .connection(let descriptor): assign(descriptor)
      case .nobody: return
      case .exhausted: return pauseAccepting()
      }
    }
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

  private func serve(_ descriptor: Int32) {
    if daemon?.add(descriptor) != true { control.loadChanges(by: -1) }
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
