#if canImport(Glibc)
  import Glibc
#endif

/// The folders that are watched for the sake of one source, and what in each of them counts.
struct WatchedFolders {
  struct Folder {
    var path: String
    /// Every name counts that is not hidden, and the folder itself.
    var isWhole = false
    /// Names that count though they are hidden, or though nothing else in the folder does.
    var names: Set<String> = []
  }

  /// By watch.
  private var folders: [Int32: Folder] = [:]
  /// Folders for which the system has no watch to spare.
  private(set) var unwatchedCount = 0

  /// Whether what happened may change the cells.
  mutating func isChange(_ event: InotifyQueue.Event) -> Bool {
    if event.has(IN_Q_OVERFLOW) { return true }
    if event.has(IN_IGNORED) {
      // Its watch is gone with it, and its number may stand for another folder one day.
      folders[event.watch] = nil
      return false
    }
    guard let folder = folders[event.watch] else { return false }
    if event.name.isEmpty { return folder.isWhole || !event.has(IN_ATTRIB) }
    guard folder.names.contains(event.name) || (folder.isWhole && !event.name.hasPrefix(".")) else {
      return false
    }
    // A file that has only just been made says more when it has been written.
    return !(event.has(IN_CREATE) && Self.isNewFile(folder.path + "/" + event.name))
  }

  /// A regular file with one name: made to be written, not linked to one that is.
  private static func isNewFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
  }

  /// Watches what there is to be watched now, and nothing else.
  /// - Returns: whether there is more than before.
  mutating func scan(_ source: SourceWatch.Source, _ queue: InotifyQueue) -> Bool {
    var scan = FolderScan(queue)
    switch source {
    case .file(let path): _ = scan.follow(path)
    case .folder(let path): if let folder = scan.follow(path) { scan.read(folder, root: folder) }
    }
    // A watch that has come to stand for another folder is a new one.
    let isMore = scan.folders.contains { watch, folder in folders[watch]?.path != folder.path }
    for watch in folders.keys where scan.folders[watch] == nil { queue.unwatch(watch) }
    folders = scan.folders
    unwatchedCount = scan.unwatched.count
    return isMore
  }
}
