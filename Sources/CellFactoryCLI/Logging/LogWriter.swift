import CellServer
import Glibc
import Logging
import Synchronization

/// Writes log lines to a descriptor, asynchronously on a queue.
///
/// Logging only appends bytes under a lock held during a copy, so a stalled reader blocks nothing. The
/// backlog is bounded: beyond `limitBytes`, lines are dropped and counted, and the next line reports the
/// count. Lines are written whole and in order. The first line after a pause is written at once; lines soon
/// after a write wait briefly, so that many are combined.
///
/// A crash may lose the last milliseconds of the log; a normal exit does not, unless the reader stalls.
final class LogWriter: Sendable {
  /// The limit of waiting lines: about one second's worth at a million requests a minute.
  static let limitBytes = 4 << 20
  /// Additional room for lines that are not about a single request, so that requests cannot crowd them out.
  static let reservedBytes = 256 << 10
  /// The shortest time between two writes.
  static let gatherMicroseconds = 5000
  /// Memory kept between two writes.
  private static let keptBytes = 256 << 10

  private struct Queue {
    var bytes: [UInt8] = []
    var dropped = 0
    /// Whether the waiting bytes are being written or are scheduled to be.
    var isBeingWritten = false
  }

  private let descriptor: Int32
  private let format: LogFormat
  private let queue = Mutex(Queue())
  private let work: ThreadQueue
  // Used only on the queue.
  private let spare = Mutex<[UInt8]>([])
  private let lastWrite = Atomic<Int>(0)
  private let droppedInAll = Atomic<Int>(0)

  /// - Parameters:
  ///   - descriptor: owned by the caller; must stay open.
  ///   - work: where lines are written. A stalled reader blocks everything else on it.
  init(descriptor: Int32, format: LogFormat, on work: ThreadQueue) {
    self.descriptor = descriptor
    self.format = format
    self.work = work
  }

  /// The number of lines dropped so far.
  var droppedLines: Int { droppedInAll.load(ordering: .relaxed) }

  /// Appends a whole line, including its newline.
  /// - Parameter isRoutine: whether it is one of very many, such as a request's.
  func append(_ line: UnsafeRawBufferPointer, isRoutine: Bool) {
    let limit = isRoutine ? Self.limitBytes : Self.limitBytes + Self.reservedBytes
    let isFirst = queue.withLock { queue in
      guard queue.bytes.count + line.count <= limit else {
        queue.dropped += 1
        droppedInAll.add(1, ordering: .relaxed)
        return false
      }
      queue.bytes.append(contentsOf: line)
      defer { queue.isBeingWritten = true }
      return !queue.isBeingWritten
    }
    if isFirst { work.run { [self] in writeAll() } }
  }

  /// Waits until everything logged before has been written, but not for a stalled reader.
  func flush(seconds: Double = 1) {
    let end = ContinuousClock.now + .seconds(seconds)
    while queue.withLock({ $0.isBeingWritten }), ContinuousClock.now < end { usleep(500) }
  }

  // MARK: - On the queue

  private func writeAll() {
    repeat {
      let pause = lastWrite.load(ordering: .relaxed) + Self.gatherMicroseconds - Self.microseconds
      if pause > 0 { usleep(UInt32(clamping: pause)) }
      var batch = take()
      write(batch)
      lastWrite.store(Self.microseconds, ordering: .relaxed)
      keep(&batch)
    } while !rest()
  }

  /// Everything that waits, followed by a line with the number of dropped lines, if any.
  private func take() -> [UInt8] {
    var batch = spare.withLock { spare in
      defer { spare = [] }
      return spare
    }
    let dropped = queue.withLock { queue in
      swap(&queue.bytes, &batch)
      defer { queue.dropped = 0 }
      return queue.dropped
    }
    if dropped == 0 { return batch }
    var line = LogLine(
      format, .now, .warning, "log lines were dropped because they are read too slowly", into: batch)
    line.field("lines", dropped)
    return line.end()
  }

  /// Keeps the memory of a written batch for a later one.
  private func keep(_ batch: inout [UInt8]) {
    guard batch.capacity <= Self.keptBytes else { return }
    batch.removeAll(keepingCapacity: true)
    spare.withLock { swap(&$0, &batch) }
  }

  /// Whether there is nothing more to write; the next line must then schedule a write.
  private func rest() -> Bool {
    queue.withLock { queue in
      if queue.bytes.isEmpty && queue.dropped == 0 { queue.isBeingWritten = false }
      return !queue.isBeingWritten
    }
  }

  /// Microseconds of a monotonic clock.
  private static var microseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// Errors are ignored, because there is nowhere to report them.
  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        // Part of `bytes`, used only during the call.
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Another process has made the shared pipe or terminal nonblocking.
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, 1000)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
