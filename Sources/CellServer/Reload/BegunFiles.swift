import CellTemplates

#if canImport(Glibc)
  import Glibc
#endif

/// Files that have appeared in a watched folder, and of which nothing is known but that.
///
/// A program that creates a file writes to it and closes it, and each of these is an event. But a finished file that gets its
/// name by link(2), and loses its other name before the event is read, causes no other. So a file of which no other event comes
/// counts as finished. An empty one does not: what is in it is still to come.
struct BegunFiles {
  private struct File {
    let bytes: Int
    /// When it was noted, in milliseconds.
    let noted: Int
  }

  private var files: [ExactString: File] = [:]

  var isEmpty: Bool { files.isEmpty }

  /// Notes a file that was created.
  /// - Returns: whether it may be one that is still to be written: a regular file with a single name.
  mutating func note(_ path: String, at now: Int) -> Bool {
    guard let bytes = Self.bytes(of: path) else { return false }
    if bytes > 0 { files[ExactString(path)] = File(bytes: bytes, noted: now) }
    return true
  }

  /// Whether a file was noted that may be finished.
  func contains(_ path: String) -> Bool { files[ExactString(path)] != nil }

  /// Forgets a file of which there was another event.
  mutating func forget(_ path: String) {
    if !files.isEmpty { files[ExactString(path)] = nil }
  }

  /// Forgets the files that were noted so long ago.
  /// - Returns: whether any of them is finished. One that has grown since is not, even without an event: it may be written under
  ///   the name that it had before.
  mutating func takeFinished(at now: Int, stillMilliseconds: Int) -> Bool {
    var isAny = false
    for (path, file) in files where now - file.noted >= stillMilliseconds {
      files[path] = nil
      if Self.bytes(of: path.text) == file.bytes { isAny = true }
    }
    return isAny
  }

  /// nil if this is not a regular file with a single name.
  static func bytes(of path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      return nil
    }
    return status.st_size
  }
}
