#if canImport(Glibc)
  import Glibc
#endif

/// Owns an inotify descriptor: watches on folders and the queue of their events.
///
/// See inotify(7). Confined to one thread at a time.
final class InotifyQueue {
  struct Event {
    /// The folder's watch; -1 if the queue has overflowed.
    var watch: Int32
    var mask: UInt32
    /// The entry concerned; empty if it is the folder itself.
    var name: String

    func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32($0) != 0 } }
  }

  /// Entries created, removed, moved, closed after writing, or with changed attributes; and the removal of the folder itself.
  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  private let descriptor: Int32

  /// Takes over a descriptor.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// - Throws: an error if the system's limit is reached (`fs.inotify.max_user_instances`).
  convenience init() throws(TransportError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .lastCall("inotify_init1") }
    self.init(owning: descriptor)
  }

  deinit { close(descriptor) }

  /// Watches a folder. The same folder has the same watch, whatever its path.
  /// - Parameter seesWriting: whether each writing to a file in it is an event, and not only the end of all.
  /// - Returns: nil on failure, with the reason in `errno`.
  func watch(_ folder: String, seesWriting: Bool) -> Int32? {
    let mask = Self.mask | UInt32(IN_MASK_ADD) | (seesWriting ? UInt32(IN_MODIFY) : 0)
    let watch = inotify_add_watch(descriptor, folder, mask)
    return watch < 0 ? nil : watch
  }

  func unwatch(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Waits for events. Returns false if none arrived within `milliseconds`; -1 waits forever.
  func wait(milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  /// The events since the last call.
  func read() -> [Event] {
    var events: [Event] = []
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: MemoryLayout<inotify_event>.alignment) {
      bytes in
      while true {
        let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        if count <= 0 { return }
        var position = 0
        // The kernel writes whole events: a header and a name of `len` bytes, padded with NUL.
        while position + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
          let name = bytes[(position + header)..<(position + header + Int(event.len))].prefix { $0 != 0 }
          events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
          position += header + Int(event.len)
        }
      }
    }
    return events
  }
}
