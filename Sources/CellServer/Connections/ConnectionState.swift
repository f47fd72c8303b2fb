/// What goes on on a connection, and until when its client has time for it: the one truth that deadlines go by. Times are
/// milliseconds of `MonotonicClock`.
enum ConnectionState {
  /// Nothing of a request has come.
  case waiting(Waiting)
  /// A request's line is there, its head not yet.
  case head(until: Int)
  /// Its head is there, its body not yet.
  case body(Body)
  /// Its answer is made, a slice at a time: nobody waits for the client.
  case making
  /// Its answer is complete, and on its way.
  case sending(Reading)
  /// Its answer is on its way, and drawn as the client takes it.
  case streaming(StreamedBody, Reading)
  /// It was refused past the library, which closes the connection.
  case draining(until: Int)
  /// It was ended from our side, and is about to be closed.
  case cut

  struct Waiting: Equatable {
    var since: Int
    var until: Int
    /// No request has come on the connection before.
    var isFirst = false
    /// How the client takes the last answer, of which much may still lie in the socket; nil: it has all that matters.
    var unread: Reading?
  }

  struct Body: Equatable {
    var until: Int
    /// nil: a piece has come since anybody looked.
    var stillness: Stillness?
  }

  /// For how long nothing has come of a body.
  struct Stillness: Equatable {
    /// When that was first found.
    var since: Int
    /// When the connection's memory may be looked at next.
    var nextLook: Int
  }

  /// How a client takes an answer.
  struct Reading: Equatable {
    /// From when on it is measured what the client takes.
    var since: Int
    /// What it had taken of all answers then, in bytes; nil: nobody has looked yet.
    var taken: UInt64?
    /// Much of the answer may lie in the socket when the library has sent it.
    var isLarge: Bool
  }

  /// Whether an answer is made, or drawn, in slices.
  var isWork: Bool {
    switch self {
    case .making, .streaming: true
    default: false
    }
  }

  /// Whether it is the client that has to go on: with a request, or with the rest of one.
  var awaitsClient: Bool {
    switch self {
    case .waiting, .head, .body: true
    case .making, .sending, .streaming, .draining, .cut: false
    }
  }

  /// Whether nothing is to be expected of it but a next request, or its end.
  var isIdle: Bool {
    if case .waiting(let waiting) = self { return !waiting.isFirst && waiting.unread == nil }
    return false
  }

  /// How the client takes an answer, where that matters.
  var reading: Reading? {
    switch self {
    case .waiting(let waiting): waiting.unread
    case .sending(let reading), .streaming(_, let reading): reading
    case .head, .body, .making, .draining, .cut: nil
    }
  }

  /// The same once the client has taken what there is.
  func done(_ reading: Reading) -> ConnectionState {
    guard case .waiting(var waiting) = self else { return with(reading) }
    waiting.unread = nil
    return .waiting(waiting)
  }

  /// The same with another reading of the answer.
  func with(_ reading: Reading) -> ConnectionState {
    switch self {
    case .waiting(var waiting):
      waiting.unread = reading
      return .waiting(waiting)
    case .sending: return .sending(reading)
    case .streaming(let stream, _): return .streaming(stream, reading)
    case .head, .body, .making, .draining, .cut: return self
    }
  }
}
