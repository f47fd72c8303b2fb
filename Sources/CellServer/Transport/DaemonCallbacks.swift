import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// The callbacks of libmicrohttpd. All run on the worker's thread, inside `MHD_run` and similar calls. They
// are global functions because a closure would inherit the isolation of its context and trap on this thread.
//
// Two objects are passed as pointers. The worker is unretained and outlives its daemon. Of the connection's
// object, libmicrohttpd owns one reference from the start of the connection to its close. Both are alive
// during a callback, so callbacks retain neither.

enum DaemonCallbacks {
  /// - Parameter worker: must outlive the daemon.
  static func of(_ worker: Worker) -> cf_daemon_callbacks {
    cf_daemon_callbacks(
      context: Unmanaged.passUnretained(worker).toOpaque(), request: requestReceived,
      request_completed: requestCompleted,
      connection_changed: connectionChanged, request_line: requestLineReceived, unescape: leaveEscaped,
      log: complained)
  }
}

extension Worker {
  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Unmanaged<Worker> {
    guard let context else { preconditionFailure("a callback has no worker") }
    return Unmanaged.fromOpaque(context)
  }
}

private func connectionChanged(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?,
  stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
  guard let handle, let stored else { return }
  let worker = Worker.from(context).takeUnretainedValue()
  switch code {
  case .CONNECTION_NOTIFY_STARTED:
    let opened = worker.connectionOpened(handle, descriptor: cf_connection_descriptor(handle))
    stored.pointee = Unmanaged.passRetained(opened).toOpaque()
  case .CONNECTION_NOTIFY_CLOSED:
    guard let pointer = stored.pointee else { return }
    stored.pointee = nil
    worker.connectionCloses(Unmanaged<ClientConnection>.fromOpaque(pointer).takeRetainedValue())
  default: break
  }
}

/// Called when the request line is complete. The returned pointer is the request's context in the callbacks
/// below.
private func requestLineReceived(
  _ context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let handle, let target, let pointer = cf_connection_context(handle) else { return nil }
  Worker.from(context)._withUnsafeGuaranteedRef { worker in
    Unmanaged<ClientConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { client in
      worker.target = target
      let target = bytes(target)
      worker.begin(client, target: target)
      UnneededParsing.hideQuery(of: target)
    }
  }
  return pointer
}

/// Called when the head is complete, for each piece of the body, and at the end of the body; after that, once
/// in each turn of the loop until there is an answer. The parameters are those of `MHD_AccessHandlerCallback`.
private func requestReceived(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
  uploadCount: UnsafeMutablePointer<Int>?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let handle, let method, let version, let uploadCount, let pointer = request?.pointee else {
    return .NO
  }
  return Worker.from(context)._withUnsafeGuaranteedRef { worker in
    Unmanaged<ClientConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { client in
      switch client.exchange.phase {
      case .head:
        return worker.receiveHead(of: client, handle, method: bytes(method), version: bytes(version))
      case .body where uploadCount.pointee > 0:
        // What is not received stays with libmicrohttpd.
        guard !client.exchange.isChunked || worker.heldBodies.admitsPiece(of: client) else {
          if client.state.isCut { return .NO }
          worker.heldBodies.hold(client, at: worker.now)
          return .YES
        }
        worker.receiveBody(of: client, UnsafeRawBufferPointer(start: upload, count: uploadCount.pointee))
        uploadCount.pointee = 0
        return .YES
      case .body:
        return worker.answer(client, handle)
      case .working:
        return worker.goOn(with: client, handle)
      case .waiting, .answered:
        return .NO
      }
    }
  }
}

/// Called when the answer has been sent or the connection has failed. The response is freed later.
private func requestCompleted(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?,
  request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let pointer = request?.pointee else { return }
  request?.pointee = nil
  Worker.from(context)._withUnsafeGuaranteedRef { worker in
    Unmanaged<ClientConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { client in
      if code != .REQUEST_TERMINATED_COMPLETED_OK, !client.isRefusedDirectly, !client.isEventStream {
        worker.control.statistics.countAborted()
      }
      worker.complete(client)
    }
  }
}

/// Leaves paths and queries as sent. The server decodes them itself, once, after routing.
///
/// libmicrohttpd parses arguments, although they are hidden from it, if a zero byte precedes the `?`.
private func leaveEscaped(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
  guard let text else { return 0 }
  // Nothing uses the length of the target.
  if Worker.from(context)._withUnsafeGuaranteedRef({ $0.target }) == UnsafePointer(text) { return 0 }
  if LibraryVersion.isKnown, let handle, let pointer = cf_connection_context(handle) {
    let worker = Worker.from(context).takeUnretainedValue()
    let client = Unmanaged<ClientConnection>.fromOpaque(pointer).takeUnretainedValue()
    if client.exchange.phase == .head {
      worker.refuseDirectly(client, Problem(.badRequest, detail: "the request target contains a zero byte"))
    }
  }
  return bytes(text).count
}

/// The start of the message for a chunk that could not be sent.
private let unsentChunk: StaticString = "Failed to send the chunked response body"
/// The start of the message that announces an answer by libmicrohttpd itself.
private let libraryAnswers: StaticString = "Error processing request (HTTP response code is"

private func complained(
  _ context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?, arguments: CVaListPointer?
) {
  guard let format, let arguments, let context else { return }
  let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
  if starts(format, with: libraryAnswers) { worker.answerForLibrary() }
  // A page with an event stream that was closed is no error.
  if worker.settings.servesPages, starts(format, with: unsentChunk) { return }
  defer { worker.isQuiet = false }
  guard !worker.isQuiet, let report = worker.settings.onComplaint else { return }
  // Each message form is a string literal in libmicrohttpd, so its address identifies it.
  report(Int(bitPattern: format)) {
    var text = [CChar](repeating: 0, count: 512)
    let count = vsnprintf(&text, text.count, format, arguments)
    let bytes = text.prefix(min(max(Int(count), 0), text.count - 1)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private func starts(_ text: UnsafePointer<CChar>, with beginning: StaticString) -> Bool {
  strncmp(text, beginning.cString, beginning.utf8CodeUnitCount) == 0
}

private func bytes(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: text, count: strlen(text))
}
