import Glibc

extension FileAccess {
  /// As many links in a row as Linux itself follows.
  private static let linkLimit = 40

  /// Writes bytes to a path.
  ///
  /// A regular file, or one that does not exist yet, is written whole or not at all, and a link leads to the file it
  /// names: the link stays. Anything else, such as a device or a FIFO, is opened and written to; a FIFO waits for a
  /// reader.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard let named = identity(of: path) else { return try replace(followingLinks(path), with: bytes) }
    if named.isRegular {
      let file = try followingLinks(path)
      // They differ where a link of /proc leads to an open file that has lost its name.
      if let found = identity(of: file), found == named { return try replace(file, with: bytes) }
    }
    try writeThrough(bytes, to: path)
  }

  /// Whether the path names what standard output is connected to.
  package static func isStandardOutput(_ path: String) -> Bool {
    var output = stat()
    guard let named = identity(of: path), fstat(STDOUT_FILENO, &output) == 0 else { return false }
    return named == Identity(output)
  }

  /// What tells one file from another, whatever it is called.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
    let isRegular: Bool

    init(_ status: stat) {
      (device, number, isRegular) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFREG)
    }
  }

  /// nil: nothing exists there.
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

  /// The path that a chain of links ends at, whether or not a file exists there.
  private static func followingLinks(_ path: String) throws(FileError) -> String {
    var current = path
    for _ in 0...linkLimit {
      var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(current, &text, text.count)
      // Not a link, or nothing is there.
      guard count >= 0 else { return current }
      let target = String(decoding: text.prefix(count), as: UTF8.self)
      if target.hasPrefix("/") {
        current = target
      } else {
        let folder = current.lastIndex(of: "/").map { current[...$0] } ?? ""
        current = folder + target
      }
    }
    throw FileError(path: path, reason: String(cString: strerror(ELOOP)))
  }

  /// Writes a file under a temporary name beside its own, syncs it, and renames it.
  private static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    // Random, since a container's process has the same number in every run: what one left behind stops no
    // other.
    let temporary = path + ".tmp-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(path: temporary) }
    do throws(FileError) {
      defer { close(descriptor) }
      try write(bytes, to: descriptor, path: temporary)
      guard fsync(descriptor) == 0 else { throw FileError(path: temporary) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = FileError(path: path)
      unlink(temporary)
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
