import CMicrohttpd
import Cells

// Sending answers, and rendering what is streamed.
extension Worker {
  /// Once an answer up to this size is in the socket, its reading is no longer measured.
  static let soonTakenBytes = 16 << 10

  /// Passes the answer on for sending. `held` carries the body until it is sent.
  func send(
    _ answer: consuming Answer, in held: consuming HeldBuffer, to connection: ClientConnection,
    _ handle: OpaquePointer, archiveHash: String
  ) -> MHD_Result {
    switch answer.rest {
    case .streamed, .events:
      return stream(answer, in: held, to: connection, handle, archiveHash: archiveHash)
    case .nothing, .unmade: break
    }
    let status = answer.status
    // For a 304, libmicrohttpd omits the body but sends its length, which is that of the 200 answer (RFC
    // 9110, section 8.6). A 204 has no length either.
    if status == 204 { answer.body.truncate(to: 0) }

    let count = answer.body.count
    if count > StreamedBody.largestSentWhole {
      answer.streamedBytes = count
      return stream(answer, in: held, to: connection, handle, archiveHash: archiveHash)
    }
    let madeAt = answer.madeAt
    guard
      let response = responses.response(
        for: answer, in: held, to: connection.exchange.head, closes: endsWithAnswer(connection),
        archiveHash: archiveHash)
    else { return .NO }
    connection.response = response.prepared
    move(
      connection,
      to: .sending(ConnectionState.Reading(since: now, isLarge: count > Self.soonTakenBytes)))
    let outcome = queue(response.handle, status: status, handle)
    if response.prepared == nil { MHD_destroy_response(response.handle) }
    record(connection, status: status, bytes: count, madeAt: madeAt)
    return outcome
  }

  /// Called when the connection's answer is no longer being sent.
  func takeBackResponse(of connection: ClientConnection) {
    if let response = connection.response.take() { responses.takeBack(response) }
  }

  /// Streams the body: as the answer's work writes it, starting with the part that exists, or in blocks, if all of it exists.
  /// `held` carries one piece after another.
  private func stream(
    _ answer: consuming Answer, in held: HeldBuffer, to connection: ClientConnection, _ handle: OpaquePointer,
    archiveHash: String
  ) -> MHD_Result {
    let status = answer.status
    let hasEvents = if case .events = answer.rest { true } else { false }
    let isWhole = if case .nothing = answer.rest { true } else { false }
    let isChunked = connection.exchange.takesChunks && answer.streamedBytes == nil
    let stream = StreamedBody(
      held, status: status, isWhole: isWhole, budget: budget,
      from: ConnectionStream(self, connection, isChunked: isChunked))
    guard
      let response = responses.response(
        for: answer, streaming: stream, to: connection.exchange.head, closes: endsWithAnswer(connection),
        archiveHash: archiveHash)
    else { return .NO }
    if hasEvents {
      beginEvents(connection, status: status)
    } else {
      move(connection, to: .streaming(stream, ConnectionState.Reading(since: now, isLarge: true)))
    }
    let outcome = queue(response, status: status, handle)
    MHD_destroy_response(response)
    return outcome
  }

  /// Counts and logs the answer now, because an event stream may last for hours.
  private func beginEvents(_ connection: ClientConnection, status: Int) {
    connection.isEventStream = true
    budget.eventStreams += 1
    connection.resumedAt = now
    move(connection, to: .events)
    control.statistics.inFlightChanges(by: -1)
    record(connection, status: status, bytes: 0)
  }

  /// Ends an event stream, which left the requests in flight when it began.
  func endEvents(_ connection: ClientConnection) {
    connection.isEventStream = false
    budget.eventStreams -= 1
  }

  /// Whether the connection ends with its answer, whatever that says.
  private func endsWithAnswer(_ connection: ClientConnection) -> Bool {
    control.isLeaving || connection.exchange.endsConnection
  }

  /// Queues the response with libmicrohttpd, which retains it.
  private func queue(_ response: OpaquePointer, status: Int, _ handle: OpaquePointer) -> MHD_Result {
    let outcome = MHD_queue_response(handle, UInt32(status), response)
    control.statistics.countAnswer()
    return outcome
  }

  /// Counts and logs an answer that was passed on for sending, or a streamed one that has ended.
  /// - Parameter madeAt: when the answer was complete, in nanoseconds; 0 means now.
  func record(_ connection: ClientConnection, status: Int, bytes: Int, madeAt: Int = 0) {
    let statistics = control.statistics
    let nanoseconds = (madeAt > 0 ? madeAt : statistics.clock()) - connection.begunAt
    let sentBytes = status == 304 || connection.exchange.isHead ? 0 : bytes
    statistics.countRequest(
      connection.exchange.subject, status: status, sentBytes: sentBytes, nanoseconds: nanoseconds)
    guard let onRequest = settings.onRequest else { return }
    onRequest(
      connection.exchange.record(status: status, bytes: sentBytes, microseconds: nanoseconds / 1000))
  }
}
