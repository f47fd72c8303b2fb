/// The state of a connection and the time its client has left: the only source of its deadlines. Times are
/// milliseconds of `MonotonicClock`.
enum ConnectionState {
  /// No byte of a request has arrived.
  case waiting(Waiting)
  /// The request line has arrived, the head has not.
  case head(until: Int)
  /// The head has arrived, the body has not.
  case body(Body)
  /// The request has arrived and waits for its turn; the client has no deadline.
  case queued(Queued)
  /// The answer is being made in slices; the client has no deadline.
  case making
  /// The answer is complete and being sent.
  case sending(Reading)
  /// The answer is being sent and rendered as the client takes it.
  case streaming(StreamedBody, Reading)
  /// The answer is an event stream. Its client has no deadline, and libmicrohttpd does not watch it between events.
  case events
  /// The request was refused past libmicrohttpd, which will close the connection.
  case draining(until: Int)
  /// The server has ended the connection and is about to close it.
  case cut

  struct Waiting: Equatable {
    var since: Int
    var until: Int
    /// Whether this is the connection's first request.
    var isFirst = false
    /// How the client reads the last answer, of which much may still be in the socket; nil if that does not
    /// matter.
    var unread: Reading?
  }

  struct Queued: Equatable {
    /// The time of the turn in which the request came up.
    var since: Int
    /// Whether it is a probe. Kept, because the request is asked about in every turn until it is answered.
    var isProbe: Bool
  }

  struct Body: Equatable {
    var until: Int
    /// nil if a piece has arrived since the last look.
    var stillness: Stillness?
  }

  /// How long no piece of a body has arrived.
  struct Stillness: Equatable {
    /// When this was first noticed.
    var since: Int
    /// When the connection's memory may be checked next.
    var nextLook: Int
  }

  /// How fast a client reads an answer.
  struct Reading: Equatable {
    /// Start of the current measurement.
    var since: Int
    /// Bytes of all answers acknowledged at `since`; nil before the first look.
    var taken: UInt64?
    /// Whether much of the answer may still be in the socket after libmicrohttpd has sent it.
    var isLarge: Bool
  }

  /// Whether an answer is being made or streamed in slices.
  var isSliced: Bool {
    switch self {
    case .making, .streaming: true
    default: false
    }
  }

  /// The body of a streamed answer.
  var streamed: StreamedBody? { if case .streaming(let stream, _) = self { stream } else { nil } }

  /// Whether the request was refused past libmicrohttpd.
  var isDraining: Bool { if case .draining = self { true } else { false } }

  /// Whether the server has ended the connection.
  var isCut: Bool { if case .cut = self { true } else { false } }

  /// Whether the client must act next: send a request or the rest of one.
  var awaitsClient: Bool {
    switch self {
    case .waiting, .head, .body: true
    case .queued, .making, .sending, .streaming, .events, .draining, .cut: false
    }
  }

  /// Whether a whole request has arrived and there is no answer yet.
  var awaitsAnswer: Bool {
    switch self {
    case .queued, .making: true
    case .waiting, .head, .body, .sending, .streaming, .events, .draining, .cut: false
    }
  }

  /// Whether only a next request or the end of the connection is expected.
  var isIdle: Bool {
    if case .waiting(let waiting) = self { return !waiting.isFirst && waiting.unread == nil }
    return false
  }

  /// The request that waits for its turn, if any.
  var queued: Queued? { if case .queued(let queued) = self { queued } else { nil } }

  /// How the client reads an answer, if that matters.
  var reading: Reading? {
    switch self {
    case .waiting(let waiting): waiting.unread
    case .sending(let reading), .streaming(_, let reading): reading
    case .head, .body, .queued, .making, .events, .draining, .cut: nil
    }
  }

  /// The state after the client has read everything there is.
  func done(_ reading: Reading) -> ConnectionState {
    guard case .waiting(var waiting) = self else { return with(reading) }
    waiting.unread = nil
    return .waiting(waiting)
  }

  /// The state with another measurement.
  func with(_ reading: Reading) -> ConnectionState {
    switch self {
    case .waiting(var waiting):
      waiting.unread = reading
      return .waiting(waiting)
    case .sending: return .sending(reading)
    case .streaming(let stream, _): return .streaming(stream, reading)
    case .head, .body, .queued, .making, .events, .draining, .cut: return self
    }
  }
}
