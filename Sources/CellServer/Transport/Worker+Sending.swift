import CMicrohttpd
import Cells

extension Worker {
  /// Hands the answer over for sending; head and body leave in one piece. `held` carries its body until it
  /// has gone.
  func send(
    _ answer: consuming Answer, in held: HeldBuffer, to connection: ClientConnection, _ handle: OpaquePointer,
    archiveHash: String
  ) -> MHD_Result {
    let isLast = answer.closesConnection || draining != nil
    let status = answer.status
    // The library leaves the body of a 304 out and sends its length, which is then that of the 200 it stands
    // for (RFC 9110, section 8.6). A 204 has no length either.
    if status == 204 { answer.body.truncate(to: 0) }

    swap(&held.buffer, &answer.body)
    let count = held.buffer.count
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
    answer.forEachHeader(requestID: connection.exchange.head.requestID, archiveHash: archiveHash) {
      name, value in
      _ = MHD_add_response_header(response, name, value)
    }
    if isLast {
      _ = MHD_add_response_header(
        response, ("Connection" as StaticString).cString, ("close" as StaticString).cString)
    }
    let outcome = MHD_queue_response(handle, UInt32(status), response)
    MHD_destroy_response(response)

    connection.deadline = ClientConnection.never
    control.statistics.countAnswer()
    if let onRequest = settings.onRequest {
      let head = connection.exchange.head
      onRequest(
        RequestRecord(
          method: head.method.name, path: head.path, status: status, bytes: count,
          microseconds: MonotonicClock.microseconds() - connection.begunAt, requestID: head.requestID))
    }
    return outcome
  }
}
