import Glibc

/// A failed file operation.
package struct FileError: Error, Equatable, Sendable {
  package let path: String
  package let reason: String
  /// What to do about it.
  package let hint: String

  package init(path: String, reason: String, hint: String = "fix the path or its permissions") {
    self.path = path
    self.reason = reason
    self.hint = hint
  }

  init(path: String, limitBytes: Int) {
    self.init(path: path, reason: "larger than \(limitBytes) bytes", hint: "make it smaller, or move it away")
  }

  /// Takes the reason from the current `errno`.
  init(path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }

  package var description: String { "\(path): \(reason)" }
}

/// Reads and writes whole files with system calls. Writing is in `FileAccess+Writing.swift`.
package enum FileAccess {
  /// Reads a regular file of at most `limitBytes`. Anything else is refused without waiting, unless `waits` allows a pipe or
  /// a device, which is read to its end.
  package static func read(_ path: String, limitBytes: Int, waits: Bool = false) throws(FileError) -> [UInt8]
  {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || waits && (kind == S_IFIFO || kind == S_IFCHR) else {
      throw FileError(path: path, reason: "not a regular file")
    }
    guard status.st_size <= limitBytes else {
      throw FileError(path: path, limitBytes: limitBytes)
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
      if bytes.count > limitBytes { throw FileError(path: path, limitBytes: limitBytes) }
    }
  }
}
