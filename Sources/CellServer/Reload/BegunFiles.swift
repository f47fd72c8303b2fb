import CellTemplates

#if canImport(Glibc)
  import Glibc
#endif

/// Files that have appeared in a watched folder, and of which nothing is known but that.
///
/// A program that creates a file causes another event when it closes it. But a finished file that gets its name by link(2),
/// and loses its other name before the event is read, looks the same and causes none. So a file that stays as it is counts as
/// finished. An empty one does not: what is in it is still to come.
struct BegunFiles {
  private struct Content: Equatable {
    let bytes: Int
    let changed: timespec

    static func == (left: Content, right: Content) -> Bool {
      left.bytes == right.bytes && left.changed.tv_sec == right.changed.tv_sec
        && left.changed.tv_nsec == right.changed.tv_nsec
    }
  }

  private struct File {
    var content: Content
    /// Since when it has been as it is, in milliseconds.
    var since: Int
  }

  private var files: [ExactString: File] = [:]

  var isEmpty: Bool { files.isEmpty }

  /// Notes a file that was created.
  /// - Returns: whether it may be one that is still to be written: a regular file with a single name.
  mutating func note(_ path: String, at now: Int) -> Bool {
    guard let content = Self.content(of: path) else { return false }
    files[ExactString(path)] = File(content: content, since: now)
    return true
  }

  /// Forgets a file of which there was another event.
  mutating func forget(_ path: String) {
    if !files.isEmpty { files[ExactString(path)] = nil }
  }

  /// Forgets the files that are finished, by having stayed as they are for so long.
  /// - Returns: whether there are any.
  mutating func takeFinished(at now: Int, stillMilliseconds: Int) -> Bool {
    var isAny = false
    for (path, file) in files {
      guard let content = Self.content(of: path.text) else {
        files[path] = nil
        continue
      }
      if content != file.content || content.bytes == 0 {
        files[path] = File(content: content, since: now)
      } else if now - file.since >= stillMilliseconds {
        files[path] = nil
        isAny = true
      }
    }
    return isAny
  }

  /// nil if this is not a regular file with a single name.
  private static func content(of path: String) -> Content? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      return nil
    }
    return Content(bytes: status.st_size, changed: status.st_mtim)
  }
}
