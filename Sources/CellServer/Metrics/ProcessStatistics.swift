#if canImport(Glibc)
  import Glibc
#endif

/// Process statistics from the system, read at each scrape; nil if the system does not provide them, for
/// example without `/proc`.
struct ProcessStatistics: Sendable {
  /// When the process started, in nanoseconds since 1970. Constant, so it is read once.
  let startNanoseconds: Int?

  init() {
    startNanoseconds = Self.start()
  }

  /// Processor time of all threads, user and system, in nanoseconds.
  var cpuNanoseconds: Int { Self.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Virtual and resident memory in bytes.
  var memoryBytes: (virtual: Int, resident: Int)? {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let fields = Self.text(of: "/proc/self/statm").split(separator: " ")
    guard fields.count > 1, let size = Int(fields[0]), let resident = Int(fields[1]) else { return nil }
    return (size * page, resident * page)
  }

  /// The number of open descriptors.
  var openDescriptors: Int? {
    var status = stat()
    // Since Linux 6.2, the directory's size is the number of descriptors. Before that it is 0, and they must
    // be counted.
    guard stat("/proc/self/fd", &status) == 0 else { return nil }
    return status.st_size > 0 ? Int(status.st_size) : Self.countDescriptors()
  }

  /// The most descriptors that may be open; nil means no limit.
  var descriptorLimit: Int? { Self.descriptorLimit }

  /// The most files that the process may have open; `nil` means no limit.
  static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
    else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  private static func countDescriptors() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    // Excludes `.`, `..` and the descriptor used for reading.
    var count = -3
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// The start time in ticks since boot is field 22 of `/proc/self/stat`: the 20th after the name's closing
  /// parenthesis.
  private static func start() -> Int? {
    let text = text(of: "/proc/self/stat")
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
    guard fields.count > 19, let ticks = Int(fields[19]), ticksPerSecond > 0 else { return nil }
    let sinceBoot = ticks * (1_000_000_000 / ticksPerSecond)
    return nanoseconds(of: CLOCK_REALTIME) - nanoseconds(of: CLOCK_BOOTTIME) + sinceBoot
  }

  private static func nanoseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The first 1024 bytes of a file; empty if it cannot be read.
  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(unsafeUninitializedCapacity: 1024) { max(read(descriptor, $0.baseAddress, $0.count), 0) }
  }
}
