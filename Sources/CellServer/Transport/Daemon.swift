import CEpoll
import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Owns a libmicrohttpd daemon in external epoll mode. Confined to one thread at a time.
///
/// Its callbacks are called only inside `run`, `add` and `stop`.
struct Daemon: ~Copyable {
  private var handle: OpaquePointer?
  /// Readable when `run` has work to do. Closed by `stop`.
  let epollDescriptor: Int32

  /// `callbacks.context` is passed to every callback and must outlive the daemon.
  init(settings: ServerSettings, callbacks: inout cf_daemon_callbacks) throws(TransportError) {
    // Called only for a broken invariant inside libmicrohttpd. Continuing could answer with another request's
    // bytes.
    MHD_set_panic_func(panicked, nil)
    // Messages are needed even without a log, because some trigger an answer; see `Worker.answerForLibrary`. Event streams and
    // `HeldBodies` suspend connections.
    let flags = UInt32(MHD_USE_ERROR_LOG.rawValue) | UInt32(MHD_ALLOW_SUSPEND_RESUME.rawValue)
    // The limit is enforced where connections are accepted. This one only must not be lower.
    handle = cf_daemon_start(
      UInt32(clamping: settings.connections + settings.workers), settings.connectionMemoryBytes, flags,
      &callbacks)
    guard let handle else {
      epollDescriptor = -1
      throw .daemonNotStarted
    }
    epollDescriptor = cf_daemon_epoll_descriptor(handle)
  }

  deinit { precondition(handle == nil, "a daemon must be stopped before it is released") }

  /// How long `run` may be delayed if nothing becomes readable; `nil` means forever.
  var timeoutMilliseconds: Int? {
    var milliseconds: UInt64 = 0
    guard let handle, MHD_get_timeout(handle, &milliseconds) == .YES else { return nil }
    return Int(clamping: milliseconds)
  }

  /// The most connections that become ready in one `run`. What is done for one takes up to 50 microseconds, most of it
  /// in the system, and up to some 200 if its head is large.
  static let readyEachRun = 8

  /// Limits what `run` does on this thread.
  static func limitRuns() { cf_limit_ready(Int32(readyEachRun)) }

  /// Serves the connections that are ready, without waiting: `readyEachRun` more of them, if runs are limited, and those
  /// that it did not finish before.
  /// - Returns: whether more connections may be ready.
  func run() -> Bool {
    guard let handle else { return false }
    MHD_run(handle)
    return cf_reached_ready_limit()
  }

  /// Serves a connection accepted elsewhere. Takes ownership of the descriptor, and closes it if the
  /// connection is refused.
  func add(_ descriptor: Int32) -> Bool {
    guard let handle else {
      close(descriptor)
      return false
    }
    return MHD_add_connection(handle, descriptor, nil, 0) == .YES
  }

  /// Closes every connection. No callbacks are called afterwards.
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
