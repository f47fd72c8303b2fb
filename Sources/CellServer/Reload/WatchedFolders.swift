import CellTemplates
import Cells

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
    /// Those of them that are on the path to the source, or to a file that is read for the name of a link to it.
    var readNames: Set<String> = []
  }

  /// By watch.
  private var folders: [Int32: Folder] = [:]
  private var begun = BegunFiles()
  /// Files that have been created or written to, and not closed since.
  private var writing: Set<ExactString> = []
  /// The number of folders not watched because the system's limit of watches is reached.
  private(set) var unwatchedCount = 0

  /// What an event says of the cells, the strongest last.
  enum Effect: Comparable {
    case none
    /// A file of theirs is being written. Another event comes when it is closed.
    case goesOn
    /// They may have changed.
    case change
  }

  /// - Parameter now: in milliseconds.
  mutating func effect(of event: InotifyQueue.Event, at now: Int) -> Effect {
    if event.has(IN_Q_OVERFLOW) { return .change }
    if event.has(IN_IGNORED) {
      // The kernel has removed the watch and may reuse its number for another folder.
      folders[event.watch] = nil
      return .none
    }
    guard let folder = folders[event.watch] else { return .none }
    if event.name.isEmpty { return folder.isWhole || !event.has(IN_ATTRIB) ? .change : .none }
    let isOnPath = folder.names.contains(event.name)
    guard isOnPath || (folder.isWhole && !FilePath.isHidden(event.name)) else { return .none }
    let path = folder.path + "/" + event.name
    let isBegun = event.has(IN_CREATE) && begun.note(path, at: now)
    let isRead = folder.readNames.contains(event.name) || TemplateFolder.concerns(event.name)
    if !isRead, isBegun || event.has(IN_MODIFY, IN_CLOSE_WRITE) {
      // It may be a log, which would make bursts longer, or an image that a nib embeds: that counts when it is closed.
      let mayBeImage = !event.has(IN_MODIFY) && TemplateFolder.mayBeImage(path)
      if !isBegun || !mayBeImage { begun.forget(path) }
      return event.has(IN_CLOSE_WRITE) && mayBeImage ? .change : .none
    }
    if isBegun {
      if !begun.contains(path) { writing.insert(ExactString(path)) }
      return .goesOn
    }
    begun.forget(path)
    if event.has(IN_MODIFY) {
      writing.insert(ExactString(path))
      return .goesOn
    }
    if !event.has(IN_ATTRIB) { writing.remove(ExactString(path)) }
    return .change
  }

  /// Whether files of the burst are still being written.
  var areFilesBeingWritten: Bool { !writing.isEmpty }

  /// Ends a burst. Files that are still being written are seen when they are closed.
  mutating func endBurst() { writing.removeAll() }

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
    case .folder(let path): if let folder = scan.follow(path) { scan.read(folder) }
    }
    // A watch that now belongs to another folder counts as new.
    let isMore = scan.folders.contains { watch, folder in folders[watch]?.path != folder.path }
    for watch in folders.keys where scan.folders[watch] == nil { queue.unwatch(watch) }
    folders = scan.folders
    unwatchedCount = scan.unwatched.count
    return isMore
  }
}
