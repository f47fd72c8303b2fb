import Testing

@testable import CellServer

/// The rules of deadlines, tested without a socket.
@Suite struct ConnectionDeadlinesTests {
  static let deadlines = Deadlines(
    headMilliseconds: 10, bodyMilliseconds: 30, idleMilliseconds: 60, writeMilliseconds: 40, leastBytes: 1000)

  private static func waiting(isFirst: Bool = false, unread: ConnectionState.Reading? = nil)
    -> ConnectionState
  {
    .waiting(ConnectionState.Waiting(since: 0, until: 100, isFirst: isFirst, unread: unread))
  }

  static let reading = ConnectionState.Reading(since: 50, taken: 5, isLarge: true)
  static let unseen = ConnectionState.Reading(since: 50, isLarge: false)

  static var verdicts: [(state: ConnectionState, now: Int, verdict: Deadlines.Verdict)] {
    [
      (waiting(isFirst: true), 99, .keep), (waiting(isFirst: true), 100, .cut(.head)),
      (waiting(), 99, .keep), (waiting(), 100, .cutIfSilent(.idle)),
      (waiting(unread: reading), 99, .measure(reading)), (waiting(unread: reading), 100, .cut(.idle)),
      (.head(until: 7), 6, .keep), (.head(until: 7), 7, .cut(.head)),
      (.body(ConnectionState.Body(until: 7)), 6, .keep),
      (.body(ConnectionState.Body(until: 7)), 7, .cut(.body)),
      (.making, .max, .keep), (.cut, .max, .keep),
      (.sending(unseen), 50, .measure(unseen)), (.sending(reading), 89, .keep),
      (.sending(reading), 90, .measure(reading)),
      (.draining(until: 7), 6, .keep), (.draining(until: 7), 7, .cut(.write)),
    ]
  }

  @Test(arguments: verdicts.indices) func aStateHasItsTime(row: Int) {
    let (state, now, verdict) = Self.verdicts[row]
    #expect(Self.deadlines.verdict(on: state, at: now) == verdict)
  }

  static let measurements:
    [(reading: ConnectionState.Reading, taken: Deadlines.Taken, now: Int, measured: Deadlines.Measured)] = [
      // First look: the rate is measured from here.
      (unseen, .bytes(7), 60, .goesOn(ConnectionState.Reading(since: 50, taken: 7, isLarge: false))),
      (reading, .bytes(5), 89, .goesOn(reading)),
      (reading, .bytes(1004), 90, .hasStopped),
      (reading, .bytes(1005), 90, .goesOn(ConnectionState.Reading(since: 90, taken: 1005, isLarge: true))),
      (reading, .all, 90, .isDone(ConnectionState.Reading(since: 90, isLarge: true))),
      (reading, .unknown, 129, .goesOn(reading)), (reading, .unknown, 130, .hasStopped),
    ]

  @Test(arguments: measurements.indices) func aClientThatTakesTooLittleHasStopped(row: Int) {
    let (reading, taken, now, measured) = Self.measurements[row]
    #expect(Self.deadlines.measure(reading, taken, at: now) == measured)
  }

  /// A connection from its acceptance to its end: when it is cut in each state.
  @Test func eachStateHasADeadlineOfItsOwn() {
    let deadlines = Self.deadlines
    func end(of state: ConnectionState) -> Int? {
      (0...1000).first {
        switch deadlines.verdict(on: state, at: $0) {
        case .cut, .cutIfSilent: true
        case .keep, .measure: false
        }
      }
    }
    var state = deadlines.opened(at: 100)
    #expect(end(of: state) == 110)
    // The deadline of the first request counts from the acceptance.
    state = deadlines.head(after: state, at: 105)
    #expect(end(of: state) == 110)
    state = deadlines.body(at: 108)
    #expect(end(of: state) == 138)
    state = deadlines.completed(after: .sending(Self.unseen), at: 200)
    #expect(end(of: state) == 260 && state.isIdle && state.reading == nil)
    state = deadlines.head(after: state, at: 240)
    #expect(end(of: state) == 250)
    state = deadlines.completed(after: .sending(Self.reading), at: 300)
    #expect(end(of: state) == 360 && !state.isIdle && state.reading == Self.reading)
    #expect(state.done(Self.reading).isIdle)
  }
}
