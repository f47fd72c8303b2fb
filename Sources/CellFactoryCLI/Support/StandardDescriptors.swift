import Glibc

/// Standard input, output and error, there whatever the command was started with.
enum StandardDescriptors {
  /// Opens `/dev/null` for each of the three that is closed. Else the next file or connection would get its
  /// number, and what is printed or logged would go there. Call it before anything is opened.
  static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one: those below it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
