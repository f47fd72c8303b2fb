import CellServer
import Glibc
import Logging
import Synchronization

/// Writes the log's lines to a descriptor, on a queue.
///
/// Whoever logs only appends bytes under a lock that is held for a copy, so a reader that stalls holds nobody up. What
/// waits is bounded: past `limitBytes` lines are dropped and counted, and their count is the next line. Lines come out
/// whole, in the order in which they came in. The first line after a rest is written at once; those that come soon
/// after the last write wait a little, so that many go in one write.
///
/// A crash may lose what was logged in its last milliseconds; an end by `exit` does not, unless the reader stalls.
final class LogWriter: Sendable {
  /// Lines that wait: about a second of them, at a million requests a minute.
  static let limitBytes = 4 << 20
  /// Lines about more than one request have so much more, that requests cannot crowd them out.
  static let reservedBytes = 256 << 10
  /// The time between two writes, at least.
  static let gatherMicroseconds = 5000
  /// Memory kept between two writes.
  private static let keptBytes = 256 << 10

  private struct Queue {
    var bytes: [UInt8] = []
    var dropped = 0
    /// Whether what waits is being written, or is going to be.
    var isBeingWritten = false
  }

  private let descriptor: Int32
  private let format: LogFormat
  private let queue = Mutex(Queue())
  private let work: ThreadQueue
  // Used on the queue alone.
  private let spare = Mutex<[UInt8]>([])
  private let lastWrite = Atomic<Int>(0)
  private let droppedInAll = Atomic<Int>(0)

  /// - Parameters:
  ///   - descriptor: stays open and the caller's.
  ///   - work: where lines are written. A reader that stalls holds up whatever else it does.
  init(descriptor: Int32, format: LogFormat, on work: ThreadQueue) {
    self.descriptor = descriptor
    self.format = format
    self.work = work
  }

  /// Lines that were dropped since the start.
  var droppedLines: Int { droppedInAll.load(ordering: .relaxed) }

  /// Takes a whole line, its end included.
  /// - Parameter isRoutine: one of very many, such as that of a request.
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

  /// Waits until all is written that was logged before, but not for a reader that stalls.
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

  /// Everything that waits, and how much was dropped behind it.
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
      format, .now, .warning, "log lines were dropped: they are read too slowly", into: batch)
    line.field("lines", dropped)
    return line.end()
  }

  /// Keeps the memory of what has been written for the batch after the next.
  private func keep(_ batch: inout [UInt8]) {
    guard batch.capacity <= Self.keptBytes else { return }
    batch.removeAll(keepingCapacity: true)
    spare.withLock { swap(&$0, &batch) }
  }

  /// Whether there is nothing more to write, so that the next line must begin anew.
  private func rest() -> Bool {
    queue.withLock { queue in
      if queue.bytes.isEmpty && queue.dropped == 0 { queue.isBeingWritten = false }
      return !queue.isBeingWritten
    }
  }

  /// Of a clock that is never set.
  private static var microseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// What cannot be written is lost: there is nobody to tell.
  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        // A part of `bytes`, for the time of the call.
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Somebody made the pipe or terminal non-blocking, for all who share it.
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, 1000)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
