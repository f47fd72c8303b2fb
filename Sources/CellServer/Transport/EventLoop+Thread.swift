import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

extension EventLoop {
  /// What a new thread is to do, on its way there.
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Room for recursive templates and deep JSON, whatever the process's own limit says.
  private static let stackBytes = 8 << 20

  /// Runs `body` on a new thread. Who wants to wait for its end joins it; else it is detached.
  @discardableResult
  static func startThread(
    named name: String, joinable: Bool = false, _ body: @escaping @Sendable () -> Void
  ) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    if !joinable { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    var thread = pthread_t()
    // The new thread takes over this one reference.
    let start = Unmanaged.passRetained(Start(name: name, body: body)).toOpaque()
    let failure = pthread_create(&thread, &attributes, runThread, start)
    precondition(failure == 0, "no thread could be made: \(String(cString: strerror(failure)))")
    return thread
  }

  fileprivate static func run(_ start: UnsafeMutableRawPointer) {
    let start = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    // Linux takes 15 bytes at most.
    cf_name_current_thread(String(start.name.prefix(15)))
    start.body()
  }
}

private func runThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let start { EventLoop.run(start) }
  return nil
}
