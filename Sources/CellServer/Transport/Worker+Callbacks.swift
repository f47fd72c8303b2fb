import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// What libmicrohttpd calls, all on the worker's thread, inside `MHD_run` and its like. Global functions: a
// closure would inherit the isolation of the place where it is written, and trap on this thread.
//
// The pointers in and out are: the worker, unretained, which outlives its daemon; and the connection's
// object, of which the library holds one reference from the connection's start to its close. Both are alive while a
// callback runs, so it counts no references of its own.

extension Worker {
  static func callbacks(context: UnsafeMutableRawPointer) -> cf_daemon_callbacks {
    cf_daemon_callbacks(
      context: context, request: requestReceived, request_completed: requestCompleted,
      connection_changed: connectionChanged, request_line: requestLineReceived, unescape: leaveEscaped,
      log: complained)
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Unmanaged<Worker> {
    guard let context else { preconditionFailure("a callback came without its worker") }
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

/// Comes once the request line is complete. What it returns is the request's context in the callbacks below.
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

/// Comes when the head is complete, for each piece of the body, and when the body has ended; from then on once in each
/// turn of the loop until there is an answer.
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

/// Comes when the answer has gone, or the connection has failed. The response is freed only afterwards.
private func requestCompleted(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?,
  request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let pointer = request?.pointee else { return }
  request?.pointee = nil
  Worker.from(context)._withUnsafeGuaranteedRef { worker in
    Unmanaged<ClientConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { client in
      if code != .REQUEST_TERMINATED_COMPLETED_OK, !client.isRefusedDirectly {
        worker.control.statistics.countAborted()
      }
      worker.complete(client)
    }
  }
}

/// Comes when nobody reads an answer's bytes any more: from inside any call, and from inside the factory.
func answerFreed(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let held = Unmanaged<HeldBuffer>.fromOpaque(context).takeRetainedValue()
  held.pool.noteReturned(held)
}

/// Paths and queries stay as they were sent: they are decoded after routing, once, and by us.
///
/// Arguments, which are hidden from the library, it finds where a zero byte stands before the `?`.
private func leaveEscaped(
  _ context: UnsafeMutableRawPointer?, handle: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
  guard let text else { return 0 }
  // How long the target is nobody asks.
  if Worker.from(context)._withUnsafeGuaranteedRef({ $0.target }) == UnsafePointer(text) { return 0 }
  if LibraryVersion.isKnown, let handle, let pointer = cf_connection_context(handle) {
    let worker = Worker.from(context).takeUnretainedValue()
    let client = Unmanaged<ClientConnection>.fromOpaque(pointer).takeUnretainedValue()
    if client.exchange.phase == .head {
      worker.refuseDirectly(client, Problem(.badRequest, detail: "the request target holds a zero byte"))
    }
  }
  return bytes(text).count
}

/// How the library's word begins that it is going to answer by itself.
private let libraryAnswers: StaticString = "Error processing request (HTTP response code is"

private func complained(
  _ context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?, arguments: CVaListPointer?
) {
  guard let format, let arguments, let context else { return }
  let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
  if strncmp(format, libraryAnswers.cString, libraryAnswers.utf8CodeUnitCount) == 0 {
    worker.answerForLibrary()
  }
  defer { worker.isQuiet = false }
  guard !worker.isQuiet, let report = worker.settings.onComplaint else { return }
  // A form of words is a literal of the library's, so its address tells it apart.
  report(Int(bitPattern: format)) {
    var text = [CChar](repeating: 0, count: 512)
    let count = vsnprintf(&text, text.count, format, arguments)
    let bytes = text.prefix(min(max(Int(count), 0), text.count - 1)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private func bytes(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: text, count: strlen(text))
}
