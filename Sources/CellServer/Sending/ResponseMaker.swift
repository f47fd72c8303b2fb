import CMicrohttpd
import Cells

/// Makes libmicrohttpd's responses of a worker's answers. A response is used again for answers of one kind, or made for one
/// answer.
///
/// Confined to the worker's thread.
final class ResponseMaker {
  private let settings: ServerSettings
  private let pool: BufferPool
  private let budget: MemoryBudget
  // Unchecked, because a check costs each request more than the access; nothing that it calls comes back here.
  @exclusivity(unchecked) private var prepared = PreparedResponses()

  init(_ settings: ServerSettings, pool: BufferPool, budget: MemoryBudget) {
    (self.settings, self.pool, self.budget) = (settings, pool, budget)
  }

  /// A response that is ready to be queued.
  struct Response {
    let handle: OpaquePointer
    /// What owns the handle until `takeBack`; nil if the caller does, and destroys it once it is queued.
    let prepared: PreparedResponse?
  }

  /// A response for a whole answer, so that head and body leave in one piece.
  /// - Parameters:
  ///   - held: carries the body until it is sent, unless a prepared response does.
  ///   - closes: whether the connection ends with the answer, whatever the answer says.
  /// - Returns: nil if libmicrohttpd is out of memory.
  func response(
    for answer: consuming Answer, in held: consuming HeldBuffer, to head: borrowing RequestHead, closes: Bool,
    archiveHash: String
  ) -> Response? {
    if !closes, let response = prepared.take(for: answer, to: head, settings, archiveHash: archiveHash) {
      budget.charge(response.kind.count)
      swap(&held.buffer, &answer.body)
      pool.give(held)
      pool.keepPlaceholder(answer.body)
      return Response(handle: response.handle, prepared: response)
    }

    let count = answer.body.count
    swap(&held.buffer, &answer.body)
    held.chargedBytes = held.buffer.capacity
    budget.charge(held.chargedBytes)
    // The response owns this reference, and reads the buffer, until it calls `answerFreed`. The buffer does
    // not change until then.
    let owned = Unmanaged.passRetained(held)
    guard
      let handle = MHD_create_response_from_buffer_with_free_callback_cls(
        count, UnsafeMutableRawPointer(mutating: held.buffer.bytes.baseAddress), answerFreed, owned.toOpaque()
      )
    else {
      owned.release()
      pool.give(held)
      return nil
    }
    addHeaders(of: answer, to: handle, for: head, closes: closes, archiveHash: archiveHash)
    pool.keepPlaceholder(answer.body)
    return Response(handle: handle, prepared: nil)
  }

  /// Makes a prepared response, which is no longer being sent, available again.
  func takeBack(_ response: PreparedResponse) {
    budget.release(response.kind.count)
    prepared.keep(response)
  }

  /// A response whose body is rendered as the client takes it. The caller destroys it once it is queued.
  /// - Returns: nil if libmicrohttpd is out of memory.
  func response(
    for answer: consuming Answer, streaming stream: StreamedBody, to head: borrowing RequestHead,
    closes: Bool, archiveHash: String
  ) -> OpaquePointer? {
    swap(&stream.held.buffer, &answer.body)
    stream.charge()
    // The response owns this reference until it calls `streamFreed`.
    let owned = Unmanaged.passRetained(stream)
    guard
      let handle = MHD_create_response_from_callback(
        answer.streamedBytes.map { UInt64($0) } ?? StreamedBody.unknownSize, StreamedBody.mappedBlockBytes,
        bodyWanted, owned.toOpaque(), streamFreed)
    else {
      owned.release()
      pool.give(stream.held)
      return nil
    }
    // These have no body. Unless its length is known, libmicrohttpd sends the last chunk of it all the same.
    if answer.streamedBytes == nil, answer.status == 304 || head.method == .head { cf_end_by_closing(handle) }
    addHeaders(of: answer, to: handle, for: head, closes: closes, archiveHash: archiveHash)
    return handle
  }

  private func addHeaders(
    of answer: borrowing Answer, to response: OpaquePointer, for head: borrowing RequestHead, closes: Bool,
    archiveHash: String
  ) {
    answer.forEachHeader(to: head, settings, archiveHash: archiveHash) { name, value in
      _ = MHD_add_response_header(response, name, value)
    }
    if answer.closesConnection || closes {
      _ = MHD_add_response_header(
        response, ("Connection" as StaticString).cString, ("close" as StaticString).cString)
    }
  }
}

/// Called when an answer's bytes are no longer read, possibly inside another call or inside the factory.
private func answerFreed(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let held = Unmanaged<HeldBuffer>.fromOpaque(context).takeRetainedValue()
  held.pool.noteReturned(held)
}
