import Cells

/// One connection of a worker, from its acceptance to its close: the exchange that is going on, and its
/// deadline.
///
/// Confined to the worker's thread. libmicrohttpd holds one reference to it, the worker's lists others.
///
/// Its variables are unchecked for overlapping accesses, which would cost a request more than its parsing
/// does: each is touched by the callbacks of its own connection only, and these do not nest.
final class ClientConnection {
  /// No deadline: nobody waits for the client, or its reading is judged by how much it takes.
  static let never = Int.max

  /// Open as long as `isOpen`.
  let descriptor: Int32
  /// The library's. Valid as long as `isOpen`.
  let handle: OpaquePointer
  /// Until its close, when the worker's list lets go of it; what is watched may be kept a little longer.
  var isOpen = true
  @exclusivity(unchecked) var exchange: Exchange
  /// When the connection is cut, in milliseconds of `MonotonicClock`.
  @exclusivity(unchecked) var deadline: Int
  /// Its place in the worker's list.
  var place = 0
  /// Whether a request has been begun on it before.
  @exclusivity(unchecked) var isReused = false
  /// When the request's line could be read, in nanoseconds.
  @exclusivity(unchecked) var begunAt = 0
  /// Whether it is among the worker's `works`.
  @exclusivity(unchecked) var isCountedAsWork = false
  /// Whether its answer is being made, a slice at a time.
  @exclusivity(unchecked) var isMaking = false
  /// When its answer was handed over for sending, in milliseconds, or when a sweep last found its client reading.
  @exclusivity(unchecked) var answeredAt = 0
  /// Whether a sweep has seen the answer on its way; and what the client had taken of all answers then, in bytes.
  @exclusivity(unchecked) var isReading = false
  /// Whether its last answer is a large one, of which much may lie in the socket when it has been sent.
  @exclusivity(unchecked) var mayBeUnread = false
  var takenBytes: UInt64 = 0
  /// What its answer is being sent by, if that is kept for others; its body is counted in the worker's budget.
  @exclusivity(unchecked) var response: PreparedResponse?
  /// The body that is being sent to it a piece at a time.
  @exclusivity(unchecked) var stream: StreamedBody?
  /// Refused before its body came: what the client still sends must be taken, or it may not see the answer.
  var needsLinger = false
  /// Its answer went past the library, which takes the request for one that failed.
  var isRefusedDirectly = false

  init(descriptor: Int32, handle: OpaquePointer, exchange: consuming Exchange, deadline: Int) {
    self.descriptor = descriptor
    self.handle = handle
    self.exchange = exchange
    self.deadline = deadline
  }

  /// Whether the last sweep found that the client has ended; a new request or a piece of a body says
  /// otherwise.
  @exclusivity(unchecked) var wasFoundEnded = false

  /// Whether it is the client that has to go on: with a request, or with the rest of one.
  var awaitsClient: Bool {
    guard isOpen else { return false }
    return switch exchange.phase {
    case .waiting, .head, .body: true
    case .working, .answered: false
    }
  }

  /// Which deadline it is that `deadline` stands for now.
  var deadlineKind: CutReason {
    switch exchange.phase {
    case .waiting: isReused ? .idle : .head
    case .head: .head
    case .body: .body
    case .working, .answered: .write
    }
  }

  /// When it was first found without a new piece of its body, in milliseconds; 0 behind each piece.
  @exclusivity(unchecked) var stillSince = 0
  /// When its memory may be looked at next, if nothing comes until then.
  var nextMemoryLook = 0

  /// Whether the sweeps look at it, each of them.
  @exclusivity(unchecked) var isWatched = false

  /// Whether nothing is to be expected of it but a next request, or its end.
  var isIdle: Bool { isWaiting && isReused && !wasFoundEnded && !mayBeUnread }

  /// Whether there is nothing on it that a stop would have to wait for.
  var isWaiting: Bool { exchange.phase == .waiting }
}
