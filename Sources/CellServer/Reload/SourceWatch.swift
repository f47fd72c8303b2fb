import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Reports when the files that cells come from have changed.
///
/// It watches folders, not files, because editors and deployments replace files: the template folder with its
/// subfolders, and the folders along the path to each and behind each link. Along a path, only the names on
/// it count. So replacing a whole folder is noticed, and so is a Kubernetes ConfigMap's swap of the `..data`
/// link.
///
/// Changes that inotify does not report are not noticed: changes made by other hosts on a network file
/// system, and a file system mounted over a folder. Confined to one thread at a time.
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

  /// Editors, copies and checkouts change files in bursts. A burst is over after this long without a change.
  static let quietMilliseconds = 200
  /// The same where somebody waits to see the change. A burst that pauses for longer is seen in parts.
  static let shortQuietMilliseconds = 40
  /// A file that has appeared counts as written if nothing else is known of it after so many times the quiet time.
  private static let stillTimes = 5
  /// How long events are left alone after some were read: a program may write thousands of times a second to a file that does
  /// not matter.
  private static let restMicroseconds: UInt32 = 10_000
  /// A burst that does not end counts as over after this long.
  static let burstMilliseconds = 2000

  private let source: Source
  private let queue: InotifyQueue
  private var folders = WatchedFolders()
  private let quiet: Int
  private let burst: Int

  /// Starts watching. The first `awaitChange` reports changes that happen before it is called.
  /// - Parameter isWatchedByPeople: whether somebody waits to see each change.
  /// - Throws: an error if inotify is unavailable.
  package convenience init(_ source: Source, isWatchedByPeople: Bool = false) throws(TransportError) {
    try self.init(
      source, quiet: isWatchedByPeople ? Self.shortQuietMilliseconds : Self.quietMilliseconds,
      burst: Self.burstMilliseconds)
  }

  init(_ source: Source, quiet: Int, burst: Int) throws(TransportError) {
    self.source = source
    self.quiet = quiet
    self.burst = burst
    queue = try InotifyQueue()
    _ = folders.scan(source, queue)
  }

  /// The number of folders not watched because the system's limit of watches is reached.
  package var unwatchedFolders: Int { folders.unwatchedCount }

  /// Whether the files are on a file system where others can change them unnoticed.
  package var isRemote: Bool { cf_is_remote(source.path) }

  /// Waits until something has changed and the burst of changes is over.
  /// - Parameter milliseconds: how long to wait for the first change; -1 waits forever.
  /// - Returns: `false` if there was none.
  package func awaitChange(milliseconds: Int = -1) -> Bool {
    let limit = MonotonicClock.milliseconds() + milliseconds
    while true {
      let rest = milliseconds < 0 ? -1 : limit - MonotonicClock.milliseconds()
      if milliseconds >= 0, rest <= 0 { return false }
      let still = quiet * Self.stillTimes
      let pause = folders.hasBegunFiles && (rest < 0 || rest > still) ? still : rest
      if queue.wait(milliseconds: Int32(clamping: pause)) {
        if takenEvents() == .change { break }
        usleep(Self.restMicroseconds)
      }
      if folders.hasFinishedFile(at: MonotonicClock.milliseconds(), stillMilliseconds: still) { break }
    }
    let begin = MonotonicClock.milliseconds()
    var last = begin
    while true {
      let now = MonotonicClock.milliseconds()
      let rest = min(last + quiet, begin + burst) - now
      if rest > 0 {
        if queue.wait(milliseconds: Int32(clamping: rest)) {
          if takenEvents() != .none { last = MonotonicClock.milliseconds() }
          usleep(Self.restMicroseconds)
        }
      } else if folders.areFilesBeingWritten, now < begin + burst {
        last = now
      } else if !folders.scan(source, queue) || now >= begin + burst {
        folders.endBurst()
        // Whoever reads the files from here on sees everything not yet watched, or the change is reported
        // later.
        return true
      } else {
        last = now
      }
    }
  }

  /// Takes the events. Returns the strongest of their effects.
  private func takenEvents() -> WatchedFolders.Effect {
    let now = MonotonicClock.milliseconds()
    var strongest = WatchedFolders.Effect.none
    for event in queue.read() { strongest = max(strongest, folders.effect(of: event, at: now)) }
    return strongest
  }

  /// Waits for changes on a thread of its own, for as long as the process lives.
  /// - Parameters:
  ///   - onChange: called after each burst of changes.
  ///   - onShortage: called with the number of folders that cannot be watched, when there first are any.
  /// - Throws: an error if the process may not have more threads.
  package static func start(
    _ watch: sending SourceWatch, onShortage: @escaping @Sendable (Int) -> Void,
    onChange: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    // The thread gets the only reference used from here on. Closures cannot take over `sending` parameters yet.
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
