import Foundation
import Glibc
import Testing

/// The command `cellfactory` as a process. It is killed in `deinit` if it still runs.
///
/// Its output goes to unnamed files, so nothing has to read it while the process runs.
final class CommandProcess {
  enum Failure: Error { case noExecutable(String), notStarted(String) }

  /// How a standard stream of the process is set up.
  enum Stream {
    case kept
    /// The descriptor is not open.
    case closed
    /// A pipe whose reader is closed.
    case brokenPipe
    /// A pipe that is not read until `readUnread`.
    case unread
  }

  /// The time limit for any command, in seconds; far more than needed, because a busy machine may stall.
  static let patience = 60.0

  let pid: pid_t
  private let outputFile: Int32
  private let errorFile: Int32
  private var unread: Int32 = -1
  /// The exit status, or the negative signal number if the process was killed.
  private(set) var status: Int32?

  /// - Parameters:
  ///   - environment: added to that of the tests, without their `CELLFACTORY_…` variables.
  ///   - folder: the working directory.
  ///   - limits: by the options of the shell's `ulimit`, in its units.
  ///   - isKeptByPermissions: also where the tests run as root, who else may read everything.
  ///   - input: written to standard input, a pipe; at most the capacity of a pipe.
  init(
    _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, input: String = "",
    output: Stream = .kept, errors: Stream = .kept, limits: [String: Int] = [:],
    isKeptByPermissions: Bool = false
  ) throws {
    let executable = try Self.executable()
    outputFile = Self.namelessFile()
    errorFile = Self.namelessFile()

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Only `posix_spawn` reads both.
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let (stdin, feed) = Self.pair()
    precondition(input.utf8.count <= 32 << 10, "more than a pipe is sure to hold")
    _ = Array(input.utf8).withUnsafeBytes { write(feed, $0.baseAddress, $0.count) }
    close(feed)
    posix_spawn_file_actions_adddup2(&actions, stdin, STDIN_FILENO)
    var pipes = [stdin]
    for (stream, file, number) in [(output, outputFile, STDOUT_FILENO), (errors, errorFile, STDERR_FILENO)] {
      switch stream {
      case .kept: posix_spawn_file_actions_adddup2(&actions, file, number)
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      case .brokenPipe:
        let (reader, writer) = Self.pair()
        close(reader)
        posix_spawn_file_actions_adddup2(&actions, writer, number)
        pipes.append(writer)
      case .unread:
        let (reader, writer) = Self.pair()
        unread = reader
        posix_spawn_file_actions_adddup2(&actions, writer, number)
        pipes.append(writer)
      }
    }
    defer { for descriptor in pipes { close(descriptor) } }
    Self.setDefaultSignals(&attributes)

    let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CELLFACTORY_") }
      .merging(environment) { $1 }
    // Copies, freed below after the call that reads them.
    var line = [executable] + arguments
    if isKeptByPermissions, geteuid() == 0 {
      line = ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] + line
    }
    // The only portable way to set the working directory.
    if let folder { line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + line }
    for (option, limit) in limits {
      line = ["/bin/sh", "-c", "ulimit \(option) $0 && exec \"$@\"", String(limit)] + line
    }
    var words = line.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in words + settings { free(copy) } }
    var child = pid_t()
    let outcome = posix_spawn(&child, line[0], &actions, &attributes, &words, &settings)
    guard outcome == 0 else { throw Failure.notStarted(String(cString: strerror(outcome))) }
    pid = child
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      var raw: Int32 = 0
      waitpid(pid, &raw, 0)
    }
    close(outputFile)
    close(errorFile)
    if unread >= 0 { close(unread) }
  }

  /// The output so far.
  var output: [UInt8] { Self.contents(of: outputFile) }
  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: Self.contents(of: errorFile), as: UTF8.self) }

  /// Waits until there is data in a stream that is not read.
  func awaitUnread() {
    var waited = pollfd(fd: unread, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waited, 1, Int32(Self.patience * 1000)) == 1)
  }

  /// Reads a stream that was left unread, until nothing has arrived for this long.
  func readUnread(silenceMilliseconds: Int32) -> String {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var waited = pollfd(fd: unread, events: Int16(POLLIN), revents: 0)
    while poll(&waited, 1, silenceMilliseconds) > 0 {
      let count = read(unread, &piece, piece.count)
      if count <= 0 { break }
      text += piece.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The IPv4 port that the process listens on, as the system knows it. It may be missed, as connections come and go: ask
  /// again.
  var listeningPort: Int? {
    let folder = "/proc/\(pid)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let open = Set(
      names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) })
    let table = (try? String(contentsOfFile: "/proc/\(pid)/net/tcp", encoding: .utf8)) ?? ""
    for line in table.split(separator: "\n").dropFirst() {
      // Address and port are in hexadecimal; 0A is a socket that listens.
      let words = line.split(separator: " ")
      if words.count > 9, words[3] == "0A", open.contains("socket:[\(words[9])]") {
        return Int(words[1].suffix(4), radix: 16)
      }
    }
    return nil
  }

  /// The processor time that it has used, in seconds.
  var processorSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    // Time in user mode and in the kernel, in ticks.
    let ticks = text.split(separator: " ").dropFirst(13).prefix(2).compactMap { Double($0) }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  func send(_ signal: Int32) {
    kill(pid, signal)
  }

  /// The exit status, or the negative signal number; nil if the process still runs after this many seconds.
  @discardableResult
  func wait(seconds: Double = CommandProcess.patience) -> Int32? {
    let end = Clock.seconds + seconds
    while status == nil {
      var raw: Int32 = 0
      if waitpid(pid, &raw, WNOHANG) == pid {
        status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
      } else if Clock.seconds > end {
        return nil
      } else {
        usleep(2000)
      }
    }
    return status
  }

  // MARK: Creation

  /// The executable is next to the test bundle, because the products of the package are built together.
  static func executable() throws -> String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let path = bundle.deletingLastPathComponent().appendingPathComponent("cellfactory").path
    guard access(path, X_OK) == 0 else { throw Failure.noExecutable(path) }
    return path
  }

  /// Close-on-exec, like all of them: the end of a pipe must not stay open in a process started by another
  /// test.
  private static func namelessFile() -> Int32 {
    let name = NSTemporaryDirectory() + "/cellfactory-" + UUID().uuidString
    let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "no temporary file")
    unlink(name)
    return descriptor
  }

  /// Bytes written to one end are read at the other. These are sockets, because a pipe cannot be created
  /// close-on-exec in one step from here; the process sees no difference.
  private static func pair() -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, type, 0, &ends) == 0, "no pair of sockets")
    return (ends[0], ends[1])
  }

  /// Resets signals as a shell does: the tests themselves ignore SIGPIPE, and SIGHUP under nohup, and
  /// processes inherit that.
  private static func setDefaultSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    var handled = sigset_t()
    sigemptyset(&none)
    sigemptyset(&handled)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&handled, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &handled)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }

  private static func contents(of file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = pread(file, &piece, piece.count, off_t(bytes.count))
      if count <= 0 { return bytes }
      bytes += piece.prefix(count)
    }
  }
}

enum Clock {
  /// Seconds of a monotonic clock.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
