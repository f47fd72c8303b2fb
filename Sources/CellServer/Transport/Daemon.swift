import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// The owner of one libmicrohttpd daemon in external epoll mode. Confined to one thread at a time.
///
/// Its callbacks are called inside `run`, `add`, and `stop` only.
struct Daemon: ~Copyable {
  private var handle: OpaquePointer?
  /// Readable when `run` has something to do. Closed by `stop`.
  let epollDescriptor: Int32

  /// `callbacks.context` goes to every callback, and must outlive the daemon.
  init(settings: ServerSettings, callbacks: inout cf_daemon_callbacks) throws(TransportError) {
    // Only ever for a broken invariant inside the library: going on could answer with another request's
    // bytes.
    MHD_set_panic_func(panicked, nil)
    // Without a log, too: some complaints are answered, see `Worker.answerForLibrary`.
    let flags = UInt32(MHD_USE_ERROR_LOG.rawValue)
    // The limit is kept where connections are accepted; here it is only never to be the narrower one.
    handle = cf_daemon_start(
      UInt32(clamping: settings.connections + settings.workers), settings.connectionMemoryBytes, flags,
      &callbacks)
    guard let handle else {
      epollDescriptor = -1
      throw .daemonNotStarted
    }
    epollDescriptor = cf_daemon_epoll_descriptor(handle)
  }

  deinit { precondition(handle == nil, "a daemon is stopped by its thread, before it goes") }

  /// How long `run` can wait to be called again though nothing is readable; `nil`: for ever.
  var timeoutMilliseconds: Int? {
    var milliseconds: UInt64 = 0
    guard let handle, MHD_get_timeout(handle, &milliseconds) == .YES else { return nil }
    return Int(clamping: milliseconds)
  }

  /// Does all that can be done without waiting.
  func run() {
    if let handle { MHD_run(handle) }
  }

  /// Serves a connection that was accepted elsewhere; takes over its descriptor, and closes it if it is not
  /// taken.
  func add(_ descriptor: Int32) -> Bool {
    guard let handle else {
      close(descriptor)
      return false
    }
    return MHD_add_connection(handle, descriptor, nil, 0) == .YES
  }

  /// Closes every connection; afterwards no callback comes any more.
  mutating func stop() {
    if let handle { MHD_stop_daemon(handle) }
    handle = nil
  }
}

private func panicked(
  _: UnsafeMutableRawPointer?, file: UnsafePointer<CChar>?, line: UInt32, reason: UnsafePointer<CChar>?
) {
  fatalError("libmicrohttpd: \(reason.map { String(cString: $0) } ?? "unknown reason"), line \(line)")
}
