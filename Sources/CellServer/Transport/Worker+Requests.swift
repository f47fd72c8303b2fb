import CMicrohttpd
import Cells

// The steps of a request in its worker: one method for each callback.
extension Worker {
  func begin(_ connection: ClientConnection, target: UnsafeRawBufferPointer) {
    waitingTurns.interrupt()
    // Before the state changes, which says when the last answer ended.
    connection.begunAt = beginning(of: connection)
    connection.begunTurn = now
    move(connection, to: deadlines.head(after: connection.state, at: now))
    connection.wasFoundEnded = false
    table.watch(connection)
    connection.exchange.begin(target: target, isHead: Self.isHead(before: target))
    control.statistics.inFlightChanges(by: 1)
  }

  /// Whether the request line's method is HEAD. libmicrohttpd reports the method only after the whole head, but parses the
  /// line in place: before the target come the method and a zero byte. The method's letters are compared from the last to the
  /// first, only as far as they match, and only within a page, so nothing is read that is not there.
  private static func isHead(before target: UnsafeRawBufferPointer) -> Bool {
    guard LibraryVersion.isKnown, let start = target.baseAddress else { return false }
    let wanted: StaticString = "HEAD\0"
    let count = wanted.utf8CodeUnitCount
    let available = UInt(bitPattern: start) % 4096
    guard available >= count else { return false }
    for distance in 1...count {
      // In the page of the target, which holds the request line.
      let byte = (start - distance).load(as: UInt8.self)
      if byte != wanted.utf8Start[count - distance] { return false }
    }
    // A longer method ends like this one. Before a method, there is nothing or the end of a line.
    return available == count || (start - count - 1).load(as: UInt8.self) <= UInt8(ascii: " ")
  }

  /// When the request could first be read, in nanoseconds: the start of this turn, as far as is known. If the previous
  /// turn took long, or previous turns left ready connections, the request may have waited, so the system is asked when
  /// its bytes arrived.
  private func beginning(of connection: ClientConnection) -> Int {
    let statistics = control.statistics
    let began = statistics.turnBegan
    var earliest = leftSince > 0 ? leftSince : began - statistics.lastTurnNanoseconds
    if case .waiting(let waiting) = connection.state, !waiting.isFirst {
      earliest = max(earliest, waiting.since * 1_000_000)
    }
    guard began - earliest > Self.longWaitNanoseconds else { return began }
    let waited = Int(cf_milliseconds_since_arrival(connection.descriptor)) * 1_000_000
    guard waited >= 0 else { return began }
    // The system reports whole milliseconds.
    let arrived = min(max(MonotonicClock.nanoseconds() - waited, earliest), began)
    shares.noteWaiting(since: arrived / 1_000_000)
    return arrived
  }

  /// If a request may have waited longer than this, its arrival time is read, which costs about a microsecond.
  private static let longWaitNanoseconds = 5_000_000

  /// When a request whose head or body has just been read came up, in milliseconds.
  func arrival(of connection: ClientConnection) -> Int {
    connection.state.queued?.since
      ?? (connection.begunTurn == now ? min(connection.begunAt / 1_000_000, now) : now)
  }

  func receiveHead(
    of connection: ClientConnection, _ handle: OpaquePointer, method: UnsafeRawBufferPointer,
    version: UnsafeRawBufferPointer
  ) -> MHD_Result {
    do throws(Problem) {
      try connection.exchange.receiveHead(ids: &ids) { head in
        head.receive(method: method, version: version, lineBytes: Self.lineBytes(method, version))
        if LibraryVersion.isKnown { head.expectFields(after: version) }
        Self.feedHeaders(of: handle, to: &head)
        if let start = method.baseAddress { head.receive(headEnd: start + cf_head_bytes(handle)) }
      }
    } catch {
      if isTight(connection, handle) { return refuseInCallback(connection, error) }
      overload.note(refusedHead: error)
      return refuse(connection, handle, error)
    }
    if isTight(connection, handle) { return refuseInCallback(connection, Self.headTooLarge()) }
    if let shortage = connection.exchange.shortage ?? overdue(connection) {
      return refuse(connection, handle, for: shortage)
    }
    move(connection, to: deadlines.body(at: now))
    return .YES
  }

  static func feedHeaders(of handle: OpaquePointer, to head: inout RequestGuard) {
    // The guard's address is used within this call only.
    withUnsafeMutablePointer(to: &head) { pointer in
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, headerReceived, pointer)
    }
  }

  /// The distance in bytes from the method to the version. libmicrohttpd parses the request line in place, so
  /// this reveals bytes that it does not report. `nil` if it ever keeps copies instead.
  private static func lineBytes(_ method: UnsafeRawBufferPointer, _ version: UnsafeRawBufferPointer) -> Int? {
    guard let start = method.baseAddress, let end = version.baseAddress else { return nil }
    let distance = Int(bitPattern: end) - Int(bitPattern: start)
    return (0...maximumLineBytes).contains(distance) ? distance : nil
  }

  /// No request line is longer, because no connection has that much memory.
  private static let maximumLineBytes = 1 << 20

  func receiveBody(of connection: ClientConnection, _ bytes: UnsafeRawBufferPointer) {
    waitingTurns.interrupt()
    connection.wasFoundEnded = false
    if case .body(var body) = connection.state, body.stillness != nil {
      body.stillness = nil
      connection.state = .body(body)
    }
    control.statistics.countBody(bytes: bytes.count)
    connection.exchange.receiveBody(bytes)
  }

  func answer(_ connection: ClientConnection, _ handle: OpaquePointer) -> MHD_Result {
    waitingTurns.interrupt()
    let queued = connection.state.queued
    if let queued, !queued.isProbe, shares.putsOffRequest(place: &connection.requestPlace) {
      shares.noteWaiting(since: queued.since)
      return .YES
    }
    let began = MonotonicClock.nanoseconds()
    shares.countSending(until: began)
    let isProbe =
      queued?.isProbe
      ?? (shares.mayPutOffRequests(at: began) && handler.isProbe(connection.exchange.head))
    let isAdmitted =
      isProbe
      ? shares.admitsProbe(at: began, place: &connection.requestPlace)
      : shares.admitsRequest(at: began, place: &connection.requestPlace)
    if !isAdmitted {
      putOff(connection, isProbe: isProbe)
      return .YES
    }
    defer {
      shares.requestTook(
        from: began, until: MonotonicClock.nanoseconds(), isProbe: connection.exchange.subject.isProbe)
    }
    if connection.exchange.isChunked {
      do throws(Problem) {
        try connection.exchange.receiveTrailers { guarding in
          if LibraryVersion.isKnown { guarding.expectFields(after: nil) }
          // The guard's address is used only within this call.
          withUnsafeMutablePointer(to: &guarding) { pointer in
            _ = MHD_get_connection_values_n(handle, .FOOTER_KIND, trailerReceived, pointer)
          }
        }
        if isTight(connection, handle) { throw Self.headTooLarge() }
      } catch {
        if isTight(connection, handle) { return refuseInCallback(connection, error) }
        overload.note(refusedHead: error)
        return refuse(connection, handle, error)
      }
    }
    if !connection.exchange.isRefused, let shortage = overdue(connection) {
      overload.note(shortage)
      connection.exchange.refuse(for: shortage)
    }
    connection.adoptions = control.statistics.adoptions
    return factory.enter(from: control.loop, self, connection, handle) {
      worker, connection, handle, factory in
      let held = worker.pool.take()
      var output = worker.pool.takePlaceholder()
      swap(&output, &held.buffer)
      switch connection.exchange.answer(by: worker.handler, output: output, factory: factory) {
      case let answer?:
        return worker.send(answer, in: held, to: connection, handle, archiveHash: factory.archiveHash)
      case nil:
        if connection.exchange.mayGiveUp, let shortage = worker.overload.shortageOfSlots {
          return worker.send(
            connection.exchange.giveUp(for: shortage), in: held, to: connection, handle,
            archiveHash: factory.archiveHash)
        }
        worker.pool.give(held)
        worker.move(connection, to: .making)
        return .YES
      }
    }
  }

  /// Leaves a request that has arrived to the next turn of the loop. While nothing is queued, libmicrohttpd asks again.
  private func putOff(_ connection: ClientConnection, isProbe: Bool) {
    let start = arrival(of: connection)
    if connection.state.queued == nil {
      move(connection, to: .queued(ConnectionState.Queued(since: start, isProbe: isProbe)))
    }
    shares.noteWaiting(since: start)
  }

  func complete(_ connection: ClientConnection) {
    connection.exchange.end()
    takeBackResponse(of: connection)
    if connection.isEventStream { endEvents(connection) } else { control.statistics.inFlightChanges(by: -1) }
    connection.requestPlace.leave()
    connection.workPlace.leave()
    move(connection, to: deadlines.completed(after: connection.state, at: now))
    connection.exchange.forgetLongHead()
  }
}

private func headerReceived(
  _ context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameCount: Int,
  value: UnsafePointer<CChar>?, valueCount: Int
) -> MHD_Result {
  guard let context else { return .NO }
  // The guard passed by `feedHeaders`, valid during the call.
  context.assumingMemoryBound(to: RequestGuard.self).pointee.receive(
    name: UnsafeRawBufferPointer(start: name, count: nameCount),
    value: UnsafeRawBufferPointer(start: value, count: valueCount))
  return .YES
}

private func trailerReceived(
  _ context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameCount: Int,
  value: UnsafePointer<CChar>?, valueCount: Int
) -> MHD_Result {
  guard let context else { return .NO }
  // The guard passed by `answer`, valid during the call.
  context.assumingMemoryBound(to: RequestGuard.self).pointee.receive(
    trailer: UnsafeRawBufferPointer(start: name, count: nameCount),
    value: UnsafeRawBufferPointer(start: value, count: valueCount))
  return .YES
}
