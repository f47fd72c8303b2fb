import CellTemplates
import Glibc

extension FileAccess {
  /// The most links in a row, the same as in Linux.
  private static let linkLimit = 40
  /// Descriptors that a shell may have opened are below this one.
  private static let descriptorLimit: Int32 = 256
  /// How often the file may be replaced by others while it is looked at.
  private static let replacementLimit = 100

  /// Writes bytes to a path.
  ///
  /// A regular or new file is written completely or not at all, unless it is a mount point, which cannot be
  /// replaced. If the path is a symbolic link, the target is replaced and the link stays. A replaced file keeps
  /// its mode. Anything else, such as a device or a FIFO, is opened and written to; a FIFO waits for a reader.
  ///
  /// A regular file to which standard output or error is redirected is not replaced, nor one that the path names by its
  /// descriptor, as `/dev/fd/3` does: the bytes go where the descriptor stands. Another descriptor, such as one that a shell
  /// holds for a lock, does not matter.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if isClosedOutput(path) {
      throw FileError(path: path, reason: String(cString: strerror(EBADF)), hint: "open standard output")
    }
    for _ in 0..<replacementLimit {
      guard let named = identity(of: path) else { return try replace(followingLinks(path), with: bytes) }
      guard named.isRegular else { break }
      if let descriptor = inheritedDescriptor(writing: named, of: descriptors(for: path)) {
        return try write(bytes, to: descriptor, path: path)
      }
      let file = try followingLinks(path)
      // They differ if another process replaced the file in between: then they are compared again. They differ for
      // ever if a link in /proc refers to another process's open file that was deleted.
      if file == path || identity(of: file) == named {
        return try replace(file, with: bytes, mode: named.mode)
      }
    }
    try writeThrough(bytes, to: path)
  }

  /// Whether the path refers to the same file as standard output.
  package static func isStandardOutput(_ path: String) -> Bool {
    var output = stat()
    guard let named = identity(of: path), fstat(STDOUT_FILENO, &output) == 0 else { return false }
    return named == Identity(output)
  }

  /// Whether the path refers to standard output, which cannot be written: it was closed, and leads to the null device now.
  private static func isClosedOutput(_ path: String) -> Bool {
    path != "/dev/null" && isStandardOutput(path) && fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY
  }

  /// Identifies a file regardless of its name.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
    let isRegular: Bool
    /// The permissions.
    let mode: mode_t

    init(_ status: stat) {
      (device, number, isRegular) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFREG)
      mode = status.st_mode & 0o777
    }

    static func == (one: Identity, other: Identity) -> Bool {
      one.device == other.device && one.number == other.number
    }
  }

  /// The descriptors that a path may stand for, the likeliest first. A path through `/proc` may stand for any: there, each open
  /// file is a link named by its descriptor's number.
  private static func descriptors(for path: String) -> [Int32] {
    var current = path
    for _ in 0...linkLimit {
      let folder = FilePath.folder(of: current)
      if let resolved = realpath(folder.isEmpty ? "." : folder, nil) {
        defer { free(resolved) }
        if FilePath.isInside(String(cString: resolved), "/proc") {
          let named = FilePath.names(current).last.flatMap { Int32($0) }
          return (named.map { [$0] } ?? []) + (0..<descriptorLimit)
        }
      }
      guard let next = try? target(ofLink: current, path: path) else { break }
      current = next
    }
    return [STDOUT_FILENO, STDERR_FILENO]
  }

  /// The first of the descriptors that has the file open for writing. Only those that a shell can redirect are considered:
  /// a descriptor of this process's own, which closes on `exec`, may belong to a temporary file that got the number of
  /// a replaced one.
  private static func inheritedDescriptor(writing file: Identity, of descriptors: [Int32]) -> Int32? {
    descriptors.first { descriptor in
      let (closing, flags) = (fcntl(descriptor, F_GETFD), fcntl(descriptor, F_GETFL))
      var status = stat()
      return closing >= 0 && closing & FD_CLOEXEC == 0 && flags & O_ACCMODE != O_RDONLY
        && fstat(descriptor, &status) == 0 && Identity(status) == file
    }
  }

  /// nil if nothing exists there.
  private static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path: path)
  }

  /// The path at the end of a chain of links, whether or not it exists.
  private static func followingLinks(_ path: String) throws(FileError) -> String {
    var current = path
    for _ in 0...linkLimit {
      guard let next = try target(ofLink: current, path: path) else { return current }
      current = next
    }
    throw FileError(path: path, reason: String(cString: strerror(ELOOP)))
  }

  /// The path to which a link leads; nil if it is not a link, or nothing exists there.
  /// - Parameter path: the path that errors name.
  private static func target(ofLink link: String, path: String) throws(FileError) -> String? {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &text, text.count)
    guard count >= 0 else { return nil }
    guard let target = String(validating: text.prefix(count), as: UTF8.self) else {
      throw FileError(path: path, reason: "the link leads to a name that is not UTF-8")
    }
    return FilePath.isAbsolute(target) ? target : FilePath.folder(of: link) + target
  }

  /// Writes a temporary file next to the target, syncs it, and renames it.
  /// - Parameter mode: of the file that is replaced; nil for a new file.
  private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t? = nil) throws(FileError) {
    // Random, because a container's process id is often the same in every run, and a leftover file must not
    // block another.
    let temporary = FilePath.folder(of: path) + ".tmp-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      // A file that can be written in a folder of a file system that cannot is mounted there.
      if mode != nil, errno == EROFS, access(path, W_OK) == 0 { return try writeThrough(bytes, to: path) }
      // Where no file can be made, one that is there may yet be written.
      if mode != nil, errno == EACCES, access(path, W_OK) == 0 {
        throw FileError(
          path: path, reason: "the folder takes no new file, so this one cannot be replaced",
          hint: "make the folder writable, or write there with --output /dev/stdout > FILE")
      }
      throw FileError(path: path)
    }
    do throws(FileError) {
      defer { close(descriptor) }
      if let mode, fchmod(descriptor, mode) != 0 { throw FileError(path: path) }
      try write(bytes, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else { throw FileError(path: path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let (error, isMount) = (FileError(path: path), errno == EBUSY)
      unlink(temporary)
      // A file that is mounted into a container keeps its name.
      if isMount { return try writeThrough(bytes, to: path) }
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(path: path)
      }
      done += count
    }
  }
}
