#if canImport(Glibc)
  import Glibc
#endif

/// What the system says of this process. Read at each scrape; nil where it does not say, as without `/proc`.
struct ProcessStatistics: Sendable {
  /// When the process began, in nanoseconds since 1970. It never changes, so it is read once.
  let startNanoseconds: Int?

  init() {
    startNanoseconds = Self.start()
  }

  /// Processor time of all threads, in nanoseconds, user and system together.
  var cpuNanoseconds: Int { Self.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Memory, in bytes: what is reserved, and what is resident.
  var memoryBytes: (virtual: Int, resident: Int)? {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let fields = Self.text(of: "/proc/self/statm").split(separator: " ")
    guard fields.count > 1, let size = Int(fields[0]), let resident = Int(fields[1]) else { return nil }
    return (size * page, resident * page)
  }

  /// Open descriptors.
  var openDescriptors: Int? {
    var status = stat()
    // Since Linux 6.2 the folder's size is their number; before it is 0, and they are to be counted.
    guard stat("/proc/self/fd", &status) == 0 else { return nil }
    return status.st_size > 0 ? Int(status.st_size) : Self.countDescriptors()
  }

  /// How many descriptors may be open; nil: as many as one likes.
  var descriptorLimit: Int? { Self.descriptorLimit }

  /// How many files the process may have open; `nil`: as many as it likes.
  static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
    else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  private static func countDescriptors() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    // Not among those that count: the one it is read by, `.` and `..`.
    var count = -3
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// The start in ticks since the boot is field 22 of `/proc/self/stat`, the 20th behind the name's parenthesis.
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

  /// The beginning of a short file, empty where it cannot be read.
  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(unsafeUninitializedCapacity: 1024) { max(read(descriptor, $0.baseAddress, $0.count), 0) }
  }
}
