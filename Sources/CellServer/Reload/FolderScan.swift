import CellTemplates
import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// One walk over a source that watches the folders on its way. Each folder is watched before it is read, so
/// that no change is missed in between.
struct FolderScan {
  /// The most files and folders in total, the same as for templates.
  private static let entryLimit = 100_000
  /// The most links on one path, the same as in the kernel.
  private static let linkLimit = 40

  private let queue: InotifyQueue
  /// The watched folders by watch.
  private(set) var folders: [Int32: WatchedFolders.Folder] = [:]
  /// Folders not watched because the system's limit of watches is reached.
  private(set) var unwatched: Set<ExactString> = []
  private var watches: [ExactString: Int32] = [:]
  private var entries = 0

  init(_ queue: InotifyQueue) { self.queue = queue }

  /// Watches each folder along a path and behind its links, each only for the name on the path.
  /// - Parameter isRead: whether the path leads to the source, or is of a link that is read for its name.
  /// - Returns: the resolved path without links; nil if it does not exist yet.
  mutating func follow(_ path: String, isRead: Bool = true) -> String? {
    var rest = Self.namesBackwards(path)
    var current = ""
    if !FilePath.isAbsolute(path) {
      guard let folder = getcwd(nil, 0) else { return nil }
      defer { free(folder) }
      rest += Self.namesBackwards(String(cString: folder))
    }
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        // `current` no longer contains links.
        current = FilePath.parent(of: current)
        continue
      }
      watch(current) { folder in
        folder.names.insert(name)
        if isRead { folder.readNames.insert(name) }
      }
      let next = current + "/" + name
      var status = stat()
      guard lstat(next, &status) == 0 else { return nil }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        current = next
        continue
      }
      links += 1
      guard links <= Self.linkLimit, let target = Self.target(of: next) else { return nil }
      if FilePath.isAbsolute(target) { current = "" }
      rest += Self.namesBackwards(target)
    }
    return current.isEmpty ? "/" : current
  }

  /// Watches a folder and its subfolders, which may contain templates.
  /// - Parameter root: links that lead out of this folder are not followed.
  mutating func read(_ root: String) {
    // Links may lead to the same folder several times, or to a parent, whether these are watched or not.
    var known: Set = [ExactString(root)]
    var waiting = [root]
    while let folder = waiting.popLast() {
      watch(folder, seesWriting: true) { $0.isWhole = true }
      for name in names(in: folder) {
        guard let inner = self.folder(folder + "/" + name, named: name, root: root) else { continue }
        if known.insert(ExactString(inner)).inserted { waiting.append(inner) }
      }
    }
  }

  /// The names of the links and folders in a folder, without hidden ones.
  private mutating func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle), entries < Self.entryLimit {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        // `d_name` ends with a NUL inside the entry, which is valid until the next `readdir`.
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if FilePath.isHidden(name) { continue }
      entries += 1
      if entry.pointee.d_type != UInt8(DT_REG) { names.append(name) }
    }
    return names
  }

  /// Finds the folder at a path. Follows a link, and watches the folders that the link leads through.
  /// - Returns: nil if the path leads to no folder, or to one outside the root.
  private mutating func folder(_ path: String, named name: String, root: String) -> String? {
    var path = path
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard let target = follow(path, isRead: TemplateFolder.concerns(name)),
        FilePath.isInside(target, root), target != root
      else { return nil }
      path = target
      guard lstat(path, &status) == 0 else { return nil }
    }
    return status.st_mode & S_IFMT == S_IFDIR ? path : nil
  }

  private mutating func watch(
    _ folder: String, seesWriting: Bool = false, _ change: (inout WatchedFolders.Folder) -> Void
  ) {
    let key = ExactString(folder)
    if let known = watches[key], !seesWriting { return change(&folders[known, default: .init(path: folder)]) }
    guard let watch = queue.watch(folder.isEmpty ? "/" : folder, seesWriting: seesWriting) else {
      // Other folders that cannot be watched, such as unreadable ones, are ignored.
      if errno == ENOSPC { unwatched.insert(key) }
      return
    }
    watches[key] = watch
    change(&folders[watch, default: .init(path: folder)])
  }

  /// The components of a path, last one first.
  private static func namesBackwards(_ path: String) -> [String] { FilePath.names(path).reversed() }

  private static func target(of link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
