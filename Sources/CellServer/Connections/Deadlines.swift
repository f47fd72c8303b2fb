/// When a connection's client has had its time. Pure: what a socket says of itself is handed in. Times are milliseconds of
/// `MonotonicClock`.
struct Deadlines {
  /// What is to be done about a connection.
  enum Verdict: Equatable {
    case keep
    case cut(CutReason)
    /// Cut, unless something has come: what lies in the socket of an idle connection is a request that came in time.
    case cutIfSilent(CutReason)
    /// The client's taking of its answer is to be measured.
    case measure(ConnectionState.Reading)
  }

  /// What is known of how much a client has taken.
  enum Taken: Equatable {
    /// All there is for it so far.
    case all
    /// So many bytes of all answers, with more on the way.
    case bytes(UInt64)
    case unknown
  }

  /// What a measurement comes to.
  enum Measured: Equatable {
    case goesOn(ConnectionState.Reading)
    /// It has all of it.
    case isDone(ConnectionState.Reading)
    case hasStopped
  }

  let headMilliseconds: Int
  let bodyMilliseconds: Int
  let idleMilliseconds: Int
  let writeMilliseconds: Int
  /// What a client is to take in `writeMilliseconds` where there is more.
  let leastBytes: UInt64

  /// The state of a new connection.
  func opened(at now: Int) -> ConnectionState {
    .waiting(ConnectionState.Waiting(since: now, until: now + headMilliseconds, isFirst: true))
  }

  /// The state once a request's line is there. The first request has had its time from the acceptance on.
  func head(after state: ConnectionState, at now: Int) -> ConnectionState {
    if case .waiting(let waiting) = state, waiting.isFirst { return .head(until: waiting.until) }
    return .head(until: now + headMilliseconds)
  }

  /// The state once the head is there.
  func body(at now: Int) -> ConnectionState {
    .body(ConnectionState.Body(until: now + bodyMilliseconds))
  }

  /// The state once the request is over, whatever came of it.
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
    case .making, .cut: return .keep
    }
  }

  /// Whether the client takes its answer too slowly: of what there was for it, less than `leastBytes` in all of
  /// `writeMilliseconds`. What it takes is what it has acknowledged.
  ///
  /// The size of the answer does not matter, so that a slow client may have a large one; and a client that has all there
  /// is yet of a streamed one waits for us.
  func measure(_ reading: ConnectionState.Reading, _ taken: Taken, at now: Int) -> Measured {
    var reading = reading
    switch taken {
    case .all:
      (reading.since, reading.taken) = (now, nil)
      return .isDone(reading)
    case .unknown:
      // It may have read all, or nothing: the next look asks again, for as long again at most.
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
