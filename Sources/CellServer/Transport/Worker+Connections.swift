import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// Connections: taken in, opened, cut and closed.
extension Worker {
  func connectionOpened(_ handle: OpaquePointer, descriptor: Int32) -> ClientConnection {
    let exchange = Exchange(settings: settings, budget: budget, pool: pool)
    let connection = ClientConnection(
      descriptor: descriptor, handle: handle, exchange: exchange, state: deadlines.opened(at: now))
    table.add(connection)
    hasOpened = true
    control.statistics.connectionOpens()
    return connection
  }

  /// Just before its descriptor is closed.
  func connectionCloses(_ connection: ClientConnection) {
    if !connection.isWaiting {
      // A request whose end the library has not told.
      control.statistics.countAborted()
      control.statistics.inFlightChanges(by: -1)
    }
    connection.exchange.end()
    takeBackResponse(of: connection)
    move(connection, to: .cut)
    // A socket that lingers takes a descriptor, as the connection did.
    let lingers = connection.needsLinger && lingering.add(connection.descriptor, now: now)
    table.remove(connection)
    control.statistics.connectionCloses()
    if !lingers { control.loadChanges(by: -1) }
  }

  /// Serves a connection that is counted in the load already, until it closes. Where the daemon refuses it late, it has
  /// told of its start, and of its close, which has counted it out.
  func serve(_ descriptor: Int32) {
    hasOpened = false
    if daemon?.add(descriptor) != true, !hasOpened { control.loadChanges(by: -1) }
  }

  /// Takes connections that wait. True: others have been cut for them, which the daemon is to close first.
  func accept() -> Bool {
    acceptor.accept(
      overload.isBehind ? Acceptor.whenBehind : Acceptor.eachTurn, makeRoom: makeRoom, serve: serve)
  }

  /// Cuts at most `wanted` connections, those that have been idle longest, so that those who do nothing do not keep others
  /// out. They are gone in the next turn. False: there is none that has been idle for a while.
  func makeRoom(_ wanted: Int) -> Bool {
    let idle = table.longestIdle(wanted, at: now)
    for connection in idle {
      cut(connection)
      control.statistics.countCut(.room)
    }
    return !idle.isEmpty
  }

  func sweep() {
    sweeper.sweep(at: now, cut: cut)
    acceptor.start()
  }

  /// Ends the connection from our side; its close comes as a callback of a later turn.
  func cut(_ connection: ClientConnection) {
    move(connection, to: .cut)
    connection.needsLinger = false
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
