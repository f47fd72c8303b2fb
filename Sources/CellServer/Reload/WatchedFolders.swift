import CellTemplates

#if canImport(Glibc)
  import Glibc
#endif

/// The folders watched for one source, and which of their entries matter.
struct WatchedFolders {
  struct Folder {
    var path: String
    /// Whether all entries that are not hidden matter, and the folder itself.
    var isWhole = false
    /// Names that matter even if they are hidden or nothing else in the folder matters.
    var names: Set<String> = []
  }

  /// By watch.
  private var folders: [Int32: Folder] = [:]
  private var begun = BegunFiles()
  /// The number of folders not watched because the system's limit of watches is reached.
  private(set) var unwatchedCount = 0

  /// Whether the event may change the cells.
  /// - Parameter now: in milliseconds.
  mutating func isChange(_ event: InotifyQueue.Event, at now: Int) -> Bool {
    if event.has(IN_Q_OVERFLOW) { return true }
    if event.has(IN_IGNORED) {
      // The kernel has removed the watch and may reuse its number for another folder.
      folders[event.watch] = nil
      return false
    }
    guard let folder = folders[event.watch] else { return false }
    if event.name.isEmpty { return folder.isWhole || !event.has(IN_ATTRIB) }
    guard folder.names.contains(event.name) || (folder.isWhole && !FilePath.isHidden(event.name)) else {
      return false
    }
    let path = folder.path + "/" + event.name
    // A file that was just created will cause another event when it has been written.
    if event.has(IN_CREATE), begun.note(path, at: now) { return false }
    begun.forget(path)
    return true
  }

  /// Whether files were created of which nothing else is known.
  var hasBegunFiles: Bool { !begun.isEmpty }

  /// Whether one of these is finished, because it has stayed as it is for so long.
  mutating func hasFinishedFile(at now: Int, stillMilliseconds: Int) -> Bool {
    begun.takeFinished(at: now, stillMilliseconds: stillMilliseconds)
  }

  /// Watches exactly what needs to be watched now.
  /// - Returns: whether a folder was added.
  mutating func scan(_ source: SourceWatch.Source, _ queue: InotifyQueue) -> Bool {
    var scan = FolderScan(queue)
    switch source {
    case .file(let path): _ = scan.follow(path)
    case .folder(let path): if let folder = scan.follow(path) { scan.read(folder, root: folder) }
    }
    // A watch that now belongs to another folder counts as new.
    let isMore = scan.folders.contains { watch, folder in folders[watch]?.path != folder.path }
    for watch in folders.keys where scan.folders[watch] == nil { queue.unwatch(watch) }
    folders = scan.folders
    unwatchedCount = scan.unwatched.count
    return isMore
  }
}
