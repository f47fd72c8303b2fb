import Glibc

/// Whole writes to standard output and standard error.
enum Console {
  static func output(_ text: String) {
    var text = text + "\n"
    text.withUTF8 { output(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes as they are. A reader that has gone away ends the command, as it does other commands.
  static func output(_ bytes: UnsafeRawBufferPointer) {
    if !write(bytes, to: STDOUT_FILENO) { exit(1) }
  }

  /// Writes a line that nobody needs to read: a reader that has gone away is no reason to end.
  static func announce(_ text: String) {
    var text = text + "\n"
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
  }

  static func error(_ text: String) {
    var text = text + "\n"
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // `rest` is a part of the caller's bytes, which stay until this returns.
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
