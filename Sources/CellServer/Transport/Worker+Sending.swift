import CMicrohttpd
import Cells

extension Worker {
  /// An answer of no more bytes is not looked after once it is in the socket.
  static let soonTakenBytes = 16 << 10

  /// Hands the answer over for sending; head and body leave in one piece. `held` carries its body until it
  /// has gone, unless a prepared response does.
  func send(
    _ answer: consuming Answer, in held: consuming HeldBuffer, to connection: ClientConnection,
    _ handle: OpaquePointer, archiveHash: String
  ) -> MHD_Result {
    if case .streamed = answer.rest {
      return stream(answer, in: held, to: connection, handle, archiveHash: archiveHash)
    }
    let status = answer.status
    // The library leaves the body of a 304 out and sends its length, which is then that of the 200 it stands
    // for (RFC 9110, section 8.6). A 204 has no length either.
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
    // The response owns this reference, and reads the buffer, until it calls `answerFreed`. Nobody changes
    // the buffer in the meantime.
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

  /// Nobody sends the connection's answer any more: what it was sent by waits for the next of its kind.
  func takeBackResponse(of connection: ClientConnection) {
    guard let response = connection.response.take() else { return }
    budget.release(response.kind.count)
    prepared.keep(response)
  }

  /// Sends the answer's body as its work writes it, behind what of it there is. `held` carries a piece after another.
  private func stream(
    _ answer: consuming Answer, in held: HeldBuffer, to connection: ClientConnection, _ handle: OpaquePointer,
    archiveHash: String
  ) -> MHD_Result {
    swap(&held.buffer, &answer.body)
    held.chargedBytes = held.buffer.capacity
    budget.charge(held.chargedBytes)
    // The worker stops its daemon, and with it every response, before it goes. The connection lets go of the stream with
    // its state.
    let stream = StreamedBody(
      held, status: answer.status, budget: budget,
      draw: { [unowned self] in draw(connection, into: $0) },
      breakOff: {
        // In chunks the last one is missing. Without, the end of the connection would be the body's, so it must not end.
        if !connection.exchange.takesChunks { cf_reset(connection.descriptor) }
      })
    // The response owns this reference until it calls `streamFreed`.
    let owned = Unmanaged.passRetained(stream)
    guard
      let response = MHD_create_response_from_callback(
        StreamedBody.unknownSize, StreamedBody.blockBytes, bodyWanted, owned.toOpaque(), streamFreed)
    else {
      owned.release()
      pool.give(held)
      return .NO
    }
    addHeaders(of: answer, to: response, for: connection, archiveHash: archiveHash)
    move(connection, to: .streaming(stream, ConnectionState.Reading(since: now, isLarge: true)))
    let outcome = queue(response, status: answer.status, handle)
    MHD_destroy_response(response)
    return outcome
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

  /// Hands the response over to the library, which counts a reference of its own.
  private func queue(_ response: OpaquePointer, status: Int, _ handle: OpaquePointer) -> MHD_Result {
    let outcome = MHD_queue_response(handle, UInt32(status), response)
    control.statistics.countAnswer()
    return outcome
  }

  /// Counts an answer that has been handed over for sending, or a streamed one that has ended, and tells whoever wants
  /// to know of it.
  /// - Parameter madeAt: when the answer was complete, in nanoseconds; 0: now.
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
