import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// Connections: accepting, opening, their states, cutting and closing.
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

  /// Called just before the descriptor is closed.
  func connectionCloses(_ connection: ClientConnection) {
    if connection.isEventStream {
      endEvents(connection)
    } else if !connection.isWaiting {
      // libmicrohttpd has not reported the end of this request.
      control.statistics.countAborted()
      control.statistics.inFlightChanges(by: -1)
    }
    connection.exchange.end()
    takeBackResponse(of: connection)
    move(connection, to: .cut)
    // A lingering socket uses a descriptor, as the connection did.
    let lingers = connection.needsLinger && lingering.add(connection.descriptor, now: now)
    if connection.isClosing { closingConnections -= 1 }
    table.remove(connection)
    control.statistics.connectionCloses()
    if !lingers { freePlaces(1) }
  }

  /// Uncounts connections whose descriptors are closed. If the worker has stopped listening for want of room, it goes on in this
  /// turn.
  func freePlaces(_ count: Int) {
    control.loadChanges(by: -count)
    if count > 0 { hasFreedPlace = true }
  }

  /// Serves a connection already counted in the load. If the daemon refuses it after reporting its start, it
  /// has also reported its close, which has uncounted it.
  func serve(_ descriptor: Int32) {
    hasOpened = false
    if daemon?.add(descriptor) != true, !hasOpened { freePlaces(1) }
  }

  /// Accepts waiting connections. Returns true if others were cut to make room; the daemon must close them
  /// first.
  func accept() -> Bool {
    let start = control.statistics.latestNanoseconds
    return acceptor.accept(
      overload.isBehind ? Acceptor.whenBehind : Acceptor.eachTurn, makeRoom: makeRoom, serve: serve,
      isOver: { control.statistics.clock() - start >= Acceptor.nanosecondsWhenBehind })
  }

  /// Accepts what waits when the worker stops, for as long as a turn may take.
  private func acceptRest() {
    let start = control.statistics.clock()
    acceptor.acceptRest(
      serve: serve, isOver: { control.statistics.clock() - start >= Acceptor.nanosecondsWhenBehind })
  }

  /// Cuts up to `wanted` of the longest idle connections, so that idle clients do not keep out active ones.
  /// They are closed in the next turns, so those that are still open count. Returns false if none has been idle long
  /// enough.
  func makeRoom(_ wanted: Int) -> Bool {
    let idle = wanted > closingConnections ? table.longestIdle(wanted - closingConnections, at: now) : []
    for connection in idle {
      cut(connection)
      control.statistics.countCut(.room)
    }
    return closingConnections > 0
  }

  func sweep() {
    sweeper.sweep(at: now, cut: cut)
    eventStreams.noteQuiet(at: now)
    acceptor.start()
  }

  /// Begins or continues the drain.
  ///
  /// By now every answer says `Connection: close`. Connections waiting in the listening queue are still
  /// served.
  func goOnDraining() {
    guard let drain else {
      // This turn's time may be old if the turn took long, and the grace period starts here.
      now = MonotonicClock.milliseconds()
      drain = Drain(from: now, until: control.drainDeadline)
      acceptRest()
      eventStreams.noteNews()
      return
    }
    if acceptor.isOpen { acceptRest() }
    guard drain.cutsIdle(at: now) else { return }
    var cuts = 0
    for connection in table.all where cuts < Sweeper.cutsEachTurn {
      guard case .waiting = connection.state else { continue }
      // Bytes that have arrived since are read in the next turn.
      if cf_readable_bytes(connection.descriptor) != 0 { continue }
      cut(connection)
      cuts += 1
    }
  }

  /// Moves a connection to another state; nothing else changes its case. Keeps the counts of answers in slices up to date
  /// and records a streamed answer when it ends. A cut connection stays cut; a draining one can only be cut.
  func move(_ connection: ClientConnection, to state: consuming ConnectionState) {
    if connection.state.isCut { return }
    if connection.state.isDraining, !state.isCut { return }
    var ended: StreamedBody?
    if connection.state.isSliced {
      slicedAnswers -= 1
      ended = connection.state.streamed
      if ended == nil { overload.makingEnds() }
    }
    if state.isSliced { slicedAnswers += 1 }
    if case .making = state { overload.makingBegins() }
    connection.state = state
    if let ended { record(connection, status: ended.status, bytes: ended.takenBytes) }
  }

  /// Ends the connection from the server's side. The close callback comes in a later turn.
  func cut(_ connection: ClientConnection) {
    move(connection, to: .cut)
    connection.needsLinger = false
    eventStreams.resume(connection, at: now)
    heldBodies.resume(connection, at: now)
    if !connection.isClosing {
      connection.isClosing = true
      closingConnections += 1
    }
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
