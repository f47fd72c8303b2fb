@testable import CellServer
import Glibc
import Testing

@Suite struct MetricsTurnTests {
  /// The time that a client waits for a busy worker counts towards its latency.
  @Test func latencyBeginsWhenARequestCouldBeRead() throws {
    let records = Records()
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) {
      $0.onRequest = { records.add($0) }
      $0.queueSeconds = 0
    }
    let busy = server.client
    let waiting = server.client
    // Both requests arrive before the worker is busy.
    for client in [busy, waiting] {
      client.send("GET /fill?1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.status == 200)
    }
    busy.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    waiting.send("GET /fill?2 HTTP/1.1\r\nHost: a\r\n\r\n")
    let start = MonotonicSeconds.now
    usleep(300_000)
    let statistics = server.server.statistics[0]
    #expect(statistics.longestTurnNanoseconds() > 200_000_000, "the turn that is going on counts")
    let waited = MonotonicSeconds.now - start
    gate.open()
    #expect(waiting.readAnswer()?.status == 200)
    let microseconds = records.all.last?.microseconds ?? 0
    #expect(Double(microseconds) > (waited - 0.05) * 1e6, "\(microseconds)")
    #expect(Double(microseconds) < (MonotonicSeconds.now - start + 0.05) * 1e6, "\(microseconds)")
    #expect(statistics.longestTurnNanoseconds() > 200_000_000)
    // Later requests have not waited. A busy machine may stall in one of them.
    for _ in 0..<3 {
      waiting.send("GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(waiting.readAnswer()?.status == 200)
    }
    #expect((records.all.suffix(3).map(\.microseconds).min() ?? .max) < 200_000)
  }

  /// Requests that arrive together share no turn if they take long.
  @Test func aTurnEndsAfterALongRequest() throws {
    let records = Records()
    let server = try TransportTestServer {
      $0.queueSeconds = 0
      $0.onRequest = { records.add($0) }
    }
    let clients = (0..<20).map { _ in server.client }
    let probe = server.client
    for client in clients + [probe] {
      client.send("GET /fill?1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.status == 200)
    }
    for client in clients { client.send("GET /slow?30000 HTTP/1.1\r\nHost: a\r\n\r\n") }
    probe.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(probe.readAnswer()?.status == 200)
    let before = records.all.dropFirst(21).prefix { $0.path != "/livez" }.count
    #expect(before < 10, "a probe passes those that are put off")
    for client in clients { #expect(client.readAnswer()?.text == "slow") }
    // All in one turn would take 0.6 s.
    #expect(server.server.statistics[0].longestTurnNanoseconds() < 250_000_000)
    #expect(server.eventually { $0.sum(\.inFlight) == 0 && $0.sum(\.heldBytes) == 0 })
  }

  @Test func worksAreServedInTheirOrder() {
    var shares = TurnShares()
    var places = Array(repeating: WaitingLine.Place(), count: 3)
    func turn() -> [Int] {
      shares.turnBegins(at: 0, requestsInFlight: 0)
      return places.indices.filter { position in
        guard shares.admitsWork(place: &places[position]) else { return false }
        shares.workTook(TurnShares.workNanoseconds / 2)
        return true
      }
    }
    for _ in 0..<3 {
      #expect(turn() == [0, 1])
      #expect(turn() == [2])
    }
    shares = TurnShares()
    places = [WaitingLine.Place(), WaitingLine.Place()]
    #expect(turn() == [0, 1])
    #expect(turn() == [0, 1])
  }

  /// Works begin later if the last request of a turn takes long, but one does begin.
  @Test func worksHaveLessTimeBesideALongRequest() {
    func admitted(after nanoseconds: Int) -> Int {
      var shares = TurnShares()
      shares.turnBegins(at: 0, requestsInFlight: 0)
      shares.requestTook(from: 0, until: nanoseconds)
      return (0..<10).count { _ in
        // Another connection each time.
        var place = WaitingLine.Place()
        guard shares.admitsWork(place: &place) else { return false }
        shares.workTook(TurnShares.workNanoseconds / 3)
        return true
      }
    }
    let end = TurnShares.requestNanoseconds - TurnShares.sendingNanoseconds
    #expect(admitted(after: 1) == 3 && admitted(after: end) == 3)
    #expect(admitted(after: end + TurnShares.workNanoseconds / 2) == 2)
    #expect(admitted(after: end + 10 * TurnShares.workNanoseconds) == 1)
  }

  /// What the next turn sends, and nothing can put off any more, is bounded by its bytes; what is sent at once, by its time.
  @Test func partsThatAreSentLaterAreBounded() {
    let part = TurnShares.sentLaterBytes / 4
    var shares = TurnShares()
    var place = WaitingLine.Place()
    func given(of count: Int, isSentLater: Bool, nanoseconds: Int) -> Int {
      shares = TurnShares()
      shares.turnBegins(at: 0, requestsInFlight: 0)
      return (0..<count).count { number in
        let now = number * nanoseconds
        if shares.mayHaveSent { shares.countSending(until: now) }
        // Another connection each time.
        place = WaitingLine.Place()
        guard shares.admitsPart(place: &place, isSentLater: isSentLater) else { return false }
        shares.gives(bytes: part, isSentLater: isSentLater, at: now)
        return true
      }
    }
    #expect(given(of: 100, isSentLater: true, nanoseconds: 1) == 4)
    #expect(given(of: 100, isSentLater: false, nanoseconds: 1) == 100)
    #expect(given(of: 100, isSentLater: false, nanoseconds: TurnShares.workNanoseconds / 5) == 5)
    #expect(shares.answeringNanoseconds == TurnShares.workNanoseconds)
  }

  @Test func requestsArePutOffOnceATurnHasLasted() {
    var shares = TurnShares()
    var place = WaitingLine.Place()
    func admits(at now: Int) -> Bool {
      let isAdmitted = shares.admitsRequest(at: now, place: &place)
      #expect(isAdmitted || shares.mayPutOffRequests(at: now))
      // Another connection each time.
      place = WaitingLine.Place()
      return isAdmitted
    }
    shares.turnBegins(at: 1000, requestsInFlight: 10)
    let end =
      1000 + TurnShares.requestNanoseconds + 10 * TurnShares.nanosecondsPerRequest
      - TurnShares.sendingNanoseconds
    shares.requestTook(from: 0, until: 1)
    #expect(admits(at: end - 1) && !admits(at: end))
    shares = TurnShares()
    shares.turnBegins(at: 0, requestsInFlight: 1_000_000)
    shares.requestTook(from: 0, until: 1)
    let latest = TurnShares.requestNanoseconds + TurnShares.addedNanoseconds - TurnShares.sendingNanoseconds
    #expect(admits(at: latest - 1) && !admits(at: latest))
    // One request begins in each turn, whatever else has taken its time, and a probe does not take its place.
    shares = TurnShares()
    shares.turnBegins(at: end, requestsInFlight: 0)
    let late = end + 10 * TurnShares.requestNanoseconds
    #expect(admits(at: late))
    shares.requestTook(from: 0, until: 1, isProbe: true)
    #expect(admits(at: late))
    shares.requestTook(from: 0, until: 1)
    #expect(!admits(at: late))
    #expect(shares.oldestMilliseconds == .max)
    shares.noteWaiting(since: 7)
    shares.noteWaiting(since: 9)
    #expect(shares.oldestMilliseconds == 7)
    shares.turnBegins(at: 2000, requestsInFlight: 0)
    #expect(shares.oldestMilliseconds == .max)
  }

  /// Thousands may wait: whoever is not next is put off without a look at the clock.
  @Test func whoIsNotNextIsPutOffAtOnce() {
    var shares = TurnShares()
    var places = Array(repeating: WaitingLine.Place(), count: 2)
    func putsOff(_ index: Int) -> Bool { shares.putsOffRequest(place: &places[index]) }
    func admits(_ index: Int) -> Bool { shares.admitsRequest(at: 0, place: &places[index]) }
    shares.turnBegins(at: 0, requestsInFlight: 0)
    #expect(!putsOff(0) && admits(0))
    shares.requestTook(from: 0, until: 2 * TurnShares.requestNanoseconds)
    #expect(putsOff(1), "the time for requests is over")
    shares.turnBegins(at: 0, requestsInFlight: 0)
    #expect(putsOff(0), "it comes after the other")
    #expect(!putsOff(1) && admits(1))
    // What was given away may have been sent since: the time for that has to be counted.
    shares.gives(bytes: 1, isSentLater: false, at: 0)
    #expect(!putsOff(0))
  }

  /// Probes pass requests that are put off, but a crowd of them takes no more of a turn than some time.
  @Test func probesWaitForOneAnother() {
    var shares = TurnShares()
    var places = Array(repeating: WaitingLine.Place(), count: 100)
    func turn(at now: Int) -> Int {
      shares.turnBegins(at: 0, requestsInFlight: 0)
      return places.indices.count { shares.admitsProbe(at: now, place: &places[$0]) }
    }
    #expect(turn(at: TurnShares.requestNanoseconds) == 100)
    let late = 10 * TurnShares.requestNanoseconds
    #expect(turn(at: late) == TurnShares.leastProbes)
    // Those that had one wait for the others.
    var answered = Array(repeating: 0, count: places.count)
    for _ in 0..<30 {
      shares.turnBegins(at: 0, requestsInFlight: 0)
      for probe in places.indices where shares.admitsProbe(at: late, place: &places[probe]) {
        answered[probe] += 1
      }
    }
    #expect(answered.allSatisfy { (2...3).contains($0) }, "\(answered)")
    // Where there is time, each has one in every second turn, at least.
    for _ in 0..<4 { _ = turn(at: 0) }
    #expect(turn(at: 0) + turn(at: 0) >= 100)
  }

  /// Connections that always have another request are asked first in each turn, but keep no others waiting.
  @Test func requestsAreAnsweredInTheirOrder() {
    var shares = TurnShares()
    var places = Array(repeating: WaitingLine.Place(), count: 3)
    func turn(of waiting: [Int]) -> [Int] {
      shares.turnBegins(at: 0, requestsInFlight: 0)
      var now = 0
      return waiting.filter { position in
        guard shares.admitsRequest(at: now, place: &places[position]) else { return false }
        now += TurnShares.requestNanoseconds / 2
        shares.requestTook(from: 0, until: now)
        return true
      }
    }
    for _ in 0..<3 {
      #expect(turn(of: [0, 1, 2]) == [0, 1])
      #expect(turn(of: [0, 1, 2]) == [2])
    }
    #expect(turn(of: [0, 1, 2]) == [0, 1])
    // One that has gone does not hold the round open.
    #expect(turn(of: [0, 1]) == [])
    #expect(turn(of: [0, 1]) == [0, 1])
    // Alone, a connection is answered as long as there is time.
    #expect(turn(of: [0, 0, 0]) == [0, 0])
  }

  /// Clients that pipeline requests all the time do not keep another from its answers.
  @Test func whoPipelinesKeepsNobodyWaiting() throws {
    let records = Records()
    let server = try TransportTestServer { $0.onRequest = { records.add($0) } }
    let many = (0..<20).map { _ in server.client }
    let one = server.client
    let request = "GET /slow?2000 HTTP/1.1\r\nHost: a\r\n"
    for client in many { client.send(String(repeating: request + "\r\n", count: 20)) }
    #expect(server.eventually { $0.sum(\.inFlight) == 20 })
    let before = records.all.count
    one.send(request + "X-Request-Id: one\r\n\r\n")
    #expect(one.readAnswer()?.text == "slow")
    for client in many { for _ in 0..<20 { #expect(client.readAnswer()?.text == "slow") } }
    let place = try #require(records.all.firstIndex { $0.requestID == "one" })
    // 400 answers; a round is 20 of them.
    #expect(before < 300 && place - before < 100, "\(before), \(place)")
  }

  /// A burst is served; who comes after it was found to take too long is refused after the time.
  @Test func latenessIsCountedOverTurns() {
    var admission = Admission(queueSeconds: 0.1)
    let now = MonotonicClock.milliseconds()
    let burst = now - 300
    admission.turnBegins(at: now - 50)
    admission.turnEnds(at: now, oldest: burst)
    admission.turnBegins(at: now)
    #expect(admission.isBehind && !admission.isOverdue(since: burst), "it came before")
    #expect(!admission.isOverdue(since: now), "it has not waited")
    var later = Admission(queueSeconds: 0.1)
    later.turnBegins(at: now - 400)
    later.turnEnds(at: now - 200, oldest: .max)
    later.turnBegins(at: now - 150)
    #expect(later.isOverdue(since: now - 150))
    #expect(!later.isOverdue(since: now - 250))
  }

  @Test func aMaximumIsForgottenAfterTwoWindows() {
    let second = 1_000_000_000
    let maximum = RecentMaximum()
    #expect(maximum.value(at: 5 * second) == 0)
    maximum.observe(7, at: 100 * second)
    maximum.observe(5, at: 101 * second)
    #expect(maximum.value(at: 101 * second) == 7)
    #expect(maximum.value(at: 170 * second) == 7, "nothing has come since")
    maximum.observe(3, at: 170 * second)
    #expect(maximum.value(at: 171 * second) == 7)
    maximum.observe(4, at: 231 * second)
    #expect(maximum.value(at: 232 * second) == 4)
    #expect(maximum.value(at: 292 * second) == 4)
    #expect(maximum.value(at: 352 * second) == 0)
    maximum.observe(1, at: 500 * second)
    #expect(maximum.value(at: 500 * second) == 1)
  }
}
