import CellTemplates
import Glibc

/// Writes to standard output and standard error.
enum Console {
  static func output(_ text: String) {
    var text = text + "\n"
    text.withUTF8 { output(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes unchanged. If they cannot be written, the command ends: without a word if the reader has gone away.
  static func output(_ bytes: UnsafeRawBufferPointer) {
    if write(bytes, to: STDOUT_FILENO) { return }
    let reason = errno
    if reason != EPIPE { error("error: standard output: \(String(cString: strerror(reason)))") }
    exit(1)
  }

  /// Writes an optional line. If the reader has gone away, the command continues.
  static func announce(_ text: String) {
    var text = shown(text) + "\n"
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
  }

  static func error(_ text: String) {
    var text = shown(text) + "\n"
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// The text with U+FFFD for each control character but the ends of lines: names of files, and what servers answer, may
  /// hold what would change the terminal.
  static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { NameRule.withoutControls(String($0)) }
      .joined(separator: "\n")
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Part of the caller's bytes, which stay valid until this returns.
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
