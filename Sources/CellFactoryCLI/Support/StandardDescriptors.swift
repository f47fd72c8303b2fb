import Glibc

/// Makes sure that standard input, output and error are open.
enum StandardDescriptors {
  /// Opens `/dev/null` for each of the three that is closed. Otherwise, the next file or connection would get
  /// its number and receive what is printed or logged. Standard output cannot be written then, so that a command whose
  /// output is lost fails. Must be called before anything is opened.
  static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one, because those below it are open.
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
  }
}
