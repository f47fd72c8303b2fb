import CMicrohttpd
import Cells

extension Worker {
  /// Once an answer up to this size is in the socket, its reading is no longer measured.
  static let soonTakenBytes = 16 << 10

  /// Passes the answer on for sending; head and body leave in one piece. `held` carries the body until it is
  /// sent, unless a prepared response does.
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
    let madeAt = answer.madeAt
    let reading = ConnectionState.Reading(since: now, isLarge: count > Self.soonTakenBytes)
    if !control.isLeaving, !connection.exchange.endsConnection,
      let response = prepared.take(
        for: answer, to: connection.exchange.head, settings, archiveHash: archiveHash)
    {
      swap(&held.buffer, &answer.body)
      pool.give(held)
      pool.keepPlaceholder(answer.body)
      budget.charge(count)
      connection.response = response
      move(connection, to: .sending(reading))
      let outcome = queue(response.handle, status: status, handle)
      record(connection, status: status, bytes: count, madeAt: madeAt)
      return outcome
    }

    swap(&held.buffer, &answer.body)
    held.chargedBytes = held.buffer.capacity
    budget.charge(held.chargedBytes)
    // The response owns this reference, and reads the buffer, until it calls `answerFreed`. The buffer does
    // not change until then.
    let owned = Unmanaged.passRetained(held)
    guard
      let response = MHD_create_response_from_buffer_with_free_callback_cls(
        count, UnsafeMutableRawPointer(mutating: held.buffer.bytes.baseAddress), answerFreed, owned.toOpaque()
      )
    else {
      owned.release()
      pool.give(held)
      return .NO
    }
    addHeaders(of: answer, to: response, for: connection, archiveHash: archiveHash)
    move(connection, to: .sending(reading))
    let outcome = queue(response, status: status, handle)
    MHD_destroy_response(response)
    record(connection, status: status, bytes: count, madeAt: madeAt)
    pool.keepPlaceholder(answer.body)
    return outcome
  }

  /// Called when the connection's answer is no longer being sent. Its prepared response becomes available
  /// again.
  func takeBackResponse(of connection: ClientConnection) {
    guard let response = connection.response.take() else { return }
    budget.release(response.kind.count)
    prepared.keep(response)
  }

  /// Streams the body as the answer's work writes it, starting with the part that exists. `held` carries one
  /// piece after another.
  private func stream(
    _ answer: consuming Answer, in held: HeldBuffer, to connection: ClientConnection, _ handle: OpaquePointer,
    archiveHash: String
  ) -> MHD_Result {
    swap(&held.buffer, &answer.body)
    held.chargedBytes = held.buffer.capacity
    budget.charge(held.chargedBytes)
    // `unowned` is safe: the worker stops its daemon, and with it every response, before it goes. The
    // connection releases the stream with its state.
    let stream = StreamedBody(
      held, status: answer.status, budget: budget,
      render: { [unowned self] in render(connection, into: $0) },
      breakOff: {
        // In a chunked body, the last chunk is missing. Otherwise the end of the connection would mean the
        // end of the body, so it is reset instead.
        if !connection.exchange.takesChunks { cf_reset(connection.descriptor) }
      },
      pause: { [unowned self] in eventStreams.suspend(connection) })
    // The response owns this reference until it calls `streamFreed`.
    let owned = Unmanaged.passRetained(stream)
    guard
      let response = MHD_create_response_from_callback(
        answer.streamedBytes.map { UInt64($0) } ?? StreamedBody.unknownSize, StreamedBody.blockBytes,
        bodyWanted, owned.toOpaque(), streamFreed)
    else {
      owned.release()
      pool.give(held)
      return .NO
    }
    addHeaders(of: answer, to: response, for: connection, archiveHash: archiveHash)
    if case .events = answer.rest {
      beginEvents(connection, status: answer.status)
    } else {
      move(connection, to: .streaming(stream, ConnectionState.Reading(since: now, isLarge: true)))
    }
    let outcome = queue(response, status: answer.status, handle)
    MHD_destroy_response(response)
    return outcome
  }

  /// Counts and logs the answer now, because an event stream may last for hours.
  private func beginEvents(_ connection: ClientConnection, status: Int) {
    connection.isEventStream = true
    connection.resumedAt = now
    move(connection, to: .events)
    control.statistics.inFlightChanges(by: -1)
    record(connection, status: status, bytes: 0)
  }

  private func addHeaders(
    of answer: borrowing Answer, to response: OpaquePointer, for connection: ClientConnection,
    archiveHash: String
  ) {
    answer.forEachHeader(to: connection.exchange.head, settings, archiveHash: archiveHash) {
      name, value in
      _ = MHD_add_response_header(response, name, value)
    }
    if answer.closesConnection || connection.exchange.endsConnection || control.isLeaving {
      _ = MHD_add_response_header(
        response, ("Connection" as StaticString).cString, ("close" as StaticString).cString)
    }
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
