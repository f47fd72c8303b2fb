import Glibc

/// A failed system call on a file, in words.
package struct FileError: Error, Equatable, Sendable {
  package let path: String
  package let reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// With the reason that `errno` holds now.
  init(path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }

  package var description: String { "\(path): \(reason)" }
}

/// Whole files, read and written by system calls.
package enum FileAccess {
  /// Reads a regular file of at most `limitBytes`. Anything else, a pipe or a device, is refused, not waited
  /// for.
  package static func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, reason: "not a regular file")
    }
    guard status.st_size <= limitBytes else {
      throw FileError(path: path, reason: "larger than \(limitBytes) bytes")
    }
    return try readAll(descriptor, path: path, limitBytes: limitBytes)
  }

  /// Reads standard input to its end.
  package static func readStandardInput(limitBytes: Int) throws(FileError) -> [UInt8] {
    try readAll(STDIN_FILENO, path: "standard input", limitBytes: limitBytes)
  }

  private static func readAll(_ descriptor: Int32, path: String, limitBytes: Int) throws(FileError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(path: path)
      }
      bytes += chunk[..<count]
      if bytes.count > limitBytes { throw FileError(path: path, reason: "larger than \(limitBytes) bytes") }
    }
  }

  /// Writes a file whole or not at all: under a temporary name beside it, synced, then renamed.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
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
