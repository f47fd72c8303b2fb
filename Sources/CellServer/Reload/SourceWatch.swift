import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Tells when the files that cells come from have changed.
///
/// Watched are folders, never files, since editors and deployments put new files in the place of old ones: the folder of
/// templates and those in it, and on the way to each, and behind each link, the folders that the way leads through, there
/// for the names on it alone. So a folder that is replaced as a whole is noticed, and so is a Kubernetes ConfigMap's swap
/// of the link `..data`.
///
/// What is not told by inotify is not noticed: changes that others make on a network's file system, and a file system that
/// is mounted over a folder. Confined to one thread at a time.
package final class SourceWatch {
  package enum Source: Sendable, Equatable {
    case folder(String)
    case file(String)

    var path: String {
      switch self {
      case .folder(let path), .file(let path): path
      }
    }
  }

  /// Changes come in bursts, of an editor, a copy or a checkout: they are over when nothing has happened for so long.
  static let quietMilliseconds = 200
  /// A burst that does not end is taken for over after this.
  static let burstMilliseconds = 2000

  private let source: Source
  private let queue: InotifyQueue
  private var folders = WatchedFolders()
  private let quiet: Int
  private let burst: Int

  /// Watches from now on: a change between this and the first `awaitChange` is told by that.
  /// - Throws: where inotify cannot be had.
  package convenience init(_ source: Source) throws(TransportError) {
    try self.init(source, quiet: Self.quietMilliseconds, burst: Self.burstMilliseconds)
  }

  init(_ source: Source, quiet: Int, burst: Int) throws(TransportError) {
    self.source = source
    self.quiet = quiet
    self.burst = burst
    queue = try InotifyQueue()
    _ = folders.scan(source, queue)
  }

  /// Folders that cannot be watched, since the system's limit of watches is reached.
  package var unwatchedFolders: Int { folders.unwatchedCount }

  /// Whether the files lie where others may change them without being noticed.
  package var isRemote: Bool { cf_is_remote(source.path) }

  /// Waits until something has changed, and the changes have come to rest.
  /// - Parameter milliseconds: how long for the first change, -1: for ever.
  /// - Returns: `false` if there was none.
  package func awaitChange(milliseconds: Int = -1) -> Bool {
    let limit = MonotonicClock.milliseconds() + milliseconds
    while true {
      let rest = milliseconds < 0 ? -1 : limit - MonotonicClock.milliseconds()
      if milliseconds >= 0, rest <= 0 { return false }
      if queue.wait(milliseconds: Int32(clamping: rest)), takesEvents() { break }
    }
    let end = MonotonicClock.milliseconds() + burst
    while true {
      let rest = min(quiet, end - MonotonicClock.milliseconds())
      if rest > 0, queue.wait(milliseconds: Int32(clamping: rest)) {
        _ = takesEvents()
      } else if !folders.scan(source, queue) || rest <= 0 {
        // Whoever reads from here on reads all that is not watched yet, or its change is told.
        return true
      }
    }
  }

  /// Takes what has happened; whether any of it may change the cells.
  private func takesEvents() -> Bool {
    var isChange = false
    for event in queue.read() where folders.isChange(event) { isChange = true }
    return isChange
  }

  /// Waits for changes on a thread of its own, for as long as the process lives.
  /// - Parameters:
  ///   - onChange: called after each burst of changes.
  ///   - onShortage: told how many folders cannot be watched, when there begin to be any.
  /// - Throws: where the process may have no more threads.
  package static func start(
    _ watch: sending SourceWatch, onShortage: @escaping @Sendable (Int) -> Void,
    onChange: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    // Handed over with the only reference to it that is used from here on.
    nonisolated(unsafe) let handedOver = watch
    try SystemThread.start(named: "watch") {
      var unwatched = 0
      while true {
        if handedOver.unwatchedFolders > 0, unwatched == 0 { onShortage(handedOver.unwatchedFolders) }
        unwatched = handedOver.unwatchedFolders
        if handedOver.awaitChange() { onChange() }
      }
    }
  }
}
