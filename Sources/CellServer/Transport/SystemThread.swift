import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Creates system threads.
enum SystemThread {
  /// What a new thread is to run.
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Enough for recursive templates and deep JSON, whatever the process's default stack size.
  private static let stackBytes = 8 << 20

  /// Runs `body` on a new thread. A joinable thread must be joined; any other is detached.
  /// - Throws: `noThread` if the process may not have more threads.
  @discardableResult
  static func start(
    named name: String, joinable: Bool = false, _ body: @escaping @Sendable () -> Void
  ) throws(TransportError) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    if !joinable { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    var thread = pthread_t()
    // If the thread starts, it takes over this reference.
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    let failure = pthread_create(&thread, &attributes, runThread, start.toOpaque())
    guard failure == 0 else {
      start.release()
      throw .noThread(name: name, errno: failure)
    }
    return thread
  }

  fileprivate static func run(_ start: UnsafeMutableRawPointer) {
    let start = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    // Linux allows at most 15 bytes.
    cf_name_current_thread(String(start.name.prefix(15)))
    start.body()
  }
}

private func runThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let start { SystemThread.run(start) }
  return nil
}
