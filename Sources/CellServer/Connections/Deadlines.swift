/// Decides when a connection has exceeded its time. Pure: facts about sockets are passed in. Times are
/// milliseconds of `MonotonicClock`.
struct Deadlines {
  /// What to do with a connection.
  enum Verdict: Equatable {
    case keep
    case cut(CutReason)
    /// Cut the connection unless its socket has unread bytes, which are a request that arrived in time.
    case cutIfSilent(CutReason)
    /// Measure how fast the client reads its answer.
    case measure(ConnectionState.Reading)
  }

  /// How much a client has acknowledged.
  enum Taken: Equatable {
    /// Everything sent so far.
    case all
    /// Bytes of all answers, with more in flight.
    case bytes(UInt64)
    case unknown
  }

  /// The result of a measurement.
  enum Measured: Equatable {
    case goesOn(ConnectionState.Reading)
    /// The client has read everything.
    case isDone(ConnectionState.Reading)
    case hasStopped
  }

  let headMilliseconds: Int
  let bodyMilliseconds: Int
  let idleMilliseconds: Int
  let writeMilliseconds: Int
  /// The bytes that a client must read within `writeMilliseconds`, if there are as many.
  let leastBytes: UInt64

  /// The state of a new connection.
  func opened(at now: Int) -> ConnectionState {
    .waiting(ConnectionState.Waiting(since: now, until: now + headMilliseconds, isFirst: true))
  }

  /// The state after the request line. The first request's time runs from the accept.
  func head(after state: ConnectionState, at now: Int) -> ConnectionState {
    if case .waiting(let waiting) = state, waiting.isFirst { return .head(until: waiting.until) }
    return .head(until: now + headMilliseconds)
  }

  /// The state after the head.
  func body(at now: Int) -> ConnectionState {
    .body(ConnectionState.Body(until: now + bodyMilliseconds))
  }

  /// The state after the request, whatever its outcome.
  func completed(after state: ConnectionState, at now: Int) -> ConnectionState {
    let reading = state.reading
    return .waiting(
      ConnectionState.Waiting(
        since: now, until: now + idleMilliseconds, unread: reading?.isLarge == true ? reading : nil))
  }

  func verdict(on state: ConnectionState, at now: Int) -> Verdict {
    switch state {
    case .waiting(let waiting):
      guard now >= waiting.until else { return waiting.unread.map { .measure($0) } ?? .keep }
      if waiting.isFirst { return .cut(.head) }
      return waiting.unread == nil ? .cutIfSilent(.idle) : .cut(.idle)
    case .head(let end): return now >= end ? .cut(.head) : .keep
    case .body(let body): return now >= body.until ? .cut(.body) : .keep
    case .sending(let reading), .streaming(_, let reading):
      return reading.taken == nil || isDue(reading, at: now) ? .measure(reading) : .keep
    case .draining(let end): return now >= end ? .cut(.write) : .keep
    case .queued, .making, .events, .cut: return .keep
    }
  }

  /// Whether the client reads its answer too slowly: less than `leastBytes` of what was available in
  /// `writeMilliseconds`. Only acknowledged bytes count.
  ///
  /// The size of the answer does not matter, so a slow client may have a large one. A client that has read
  /// all of a streamed answer so far is waiting for the server.
  func measure(_ reading: ConnectionState.Reading, _ taken: Taken, at now: Int) -> Measured {
    var reading = reading
    switch taken {
    case .all:
      (reading.since, reading.taken) = (now, nil)
      return .isDone(reading)
    case .unknown:
      // The client may have read everything or nothing. Later looks ask again, within twice the time.
      return now - reading.since >= 2 * writeMilliseconds ? .hasStopped : .goesOn(reading)
    case .bytes(let count):
      if let before = reading.taken {
        guard isDue(reading, at: now) else { return .goesOn(reading) }
        if count &- before < leastBytes { return .hasStopped }
        reading.since = now
      }
      reading.taken = count
      return .goesOn(reading)
    }
  }

  private func isDue(_ reading: ConnectionState.Reading, at now: Int) -> Bool {
    now - reading.since >= writeMilliseconds
  }
}

extension Deadlines {
  init(_ settings: ServerSettings) {
    self.init(
      headMilliseconds: Int(settings.headSeconds * 1000), bodyMilliseconds: Int(settings.bodySeconds * 1000),
      idleMilliseconds: Int(settings.idleSeconds * 1000),
      writeMilliseconds: Int(settings.writeSeconds * 1000),
      leastBytes: UInt64(Double(ServerSettings.leastBytesPerSecond) * settings.writeSeconds))
  }
}
