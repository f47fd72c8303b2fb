#if canImport(Glibc)
  import Glibc
#endif

/// The owner of one inotify descriptor: watches on folders, and the queue of what happened in them.
///
/// inotify(7) is the reference. Confined to one thread at a time.
final class InotifyQueue {
  struct Event {
    /// The folder's watch; -1 where the queue has overflown.
    var watch: Int32
    var mask: UInt32
    /// What happened to which entry; empty: to the folder itself.
    var name: String

    func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32($0) != 0 } }
  }

  /// Entries that come, go, change their rights, or have been written; and the folder's own end.
  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR)

  private let descriptor: Int32

  /// - Throws: where the system has no more of them (`fs.inotify.max_user_instances`).
  init() throws(TransportError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .lastCall("inotify_init1") }
  }

  deinit { close(descriptor) }

  /// Watches a folder. The same folder, by whatever path, has the same watch.
  /// - Returns: nil, with the reason in `errno`.
  func watch(_ folder: String) -> Int32? {
    let watch = inotify_add_watch(descriptor, folder, Self.mask)
    return watch < 0 ? nil : watch
  }

  func unwatch(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Waits for events; `false`: none came within so many milliseconds (-1: for ever).
  func wait(milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  /// The events that have come since the last call.
  func read() -> [Event] {
    var events: [Event] = []
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: MemoryLayout<inotify_event>.alignment) {
      bytes in
      while true {
        let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        if count <= 0 { return }
        var place = 0
        // The kernel writes whole events: a header, and as many bytes of name as it says, padded with NUL.
        while place + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          let name = bytes[(place + header)..<(place + header + Int(event.len))].prefix { $0 != 0 }
          events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
          place += header + Int(event.len)
        }
      }
    }
    return events
  }
}
