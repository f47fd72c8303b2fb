import Testing

@testable import CellServer

@Suite struct WaitingLineTests {
  /// Runs, each of which asks in the order of libmicrohttpd: those that have always another request first, and new ones last.
  private struct Runs {
    var line = WaitingLine()
    var places: [WaitingLine.Place] = []
    /// The runs in which each began to wait for what it waits for.
    var since: [Int] = []
    var waits: [Int: [Int]] = [:]
    private var waiting: [Int] = []

    /// - Parameter isAlways: whether the connection has always another request.
    mutating func run(
      _ number: Int, newConnections: Int, served most: Int, isAlways: (Int) -> Bool
    ) {
      for _ in 0..<newConnections {
        waiting.append(places.count)
        places.append(WaitingLine.Place())
        since.append(number)
      }
      line.runBegins()
      var served: Set<Int> = []
      for connection in waiting where line.admits(&places[connection], hasTime: served.count < most) {
        served.insert(connection)
        waits[connection, default: []].append(number - since[connection])
        since[connection] = number
      }
      waiting.removeAll { served.contains($0) && !isAlways($0) }
    }
  }

  /// More come in every run than it serves.
  @Test func whoComesAgainAndWhoComesNewWaitAlike() {
    var runs = Runs()
    runs.run(0, newConnections: 20, served: 2) { $0 < 20 }
    for run in 1..<400 { runs.run(run, newConnections: 3, served: 4) { $0 < 20 } }
    // The line grows, and all that were served in the last runs have waited for as long, as far as a run can tell.
    let again = (0..<20).compactMap { runs.waits[$0]?.last }
    let new = runs.waits.filter { $0.key >= 20 }.sorted { $0.key < $1.key }.suffix(20).compactMap(
      \.value.last)
    #expect(again.count == 20 && new.count == 20)
    #expect(again.min()! > new.max()! - 40 && again.max()! < new.max()! + 40, "\(again) \(new)")
  }

  /// One that is asked last in each run is served when its turn comes.
  @Test func theOrderOfAskingDoesNotMatter() {
    var runs = Runs()
    for run in 0..<100 { runs.run(run, newConnections: run == 0 ? 10 : 0, served: 1) { _ in true } }
    for connection in 0..<10 { #expect(runs.waits[connection]?.count == 10) }
  }

  @Test func whoIsGoneHoldsNobodyUp() {
    var line = WaitingLine()
    var places = Array(repeating: WaitingLine.Place(), count: 1000)
    for index in places.indices { #expect(line.admits(&places[index], hasTime: index == 0) == (index == 0)) }
    // All but the last are gone.
    var runs = 0
    repeat {
      line.runBegins()
      runs += 1
    } while !line.admits(&places[999], hasTime: true) && runs < 100
    #expect(runs == 2)
    line.runBegins()
    #expect(!line.isWaitedIn && line.admits(&places[5], hasTime: true))
  }

  /// Once all are served that waited, whoever comes is served at once.
  @Test func whoComesIsServedIfNobodyWaitsLonger() {
    var line = WaitingLine()
    var places = Array(repeating: WaitingLine.Place(), count: 4)
    func admits(_ index: Int, hasTime: Bool = true) -> Bool { line.admits(&places[index], hasTime: hasTime) }
    line.runBegins()
    #expect(admits(0) && !admits(1, hasTime: false) && !admits(2, hasTime: false))
    line.runBegins()
    #expect(admits(1) && !admits(3) && !admits(2), "the share of a run before that had time for one")
    line.runBegins()
    #expect(admits(2) && admits(3) && admits(0) && admits(1))
  }

  @Test func whatWasTimeForIsTheNextShare() {
    var line = WaitingLine()
    var places = Array(repeating: WaitingLine.Place(), count: 100)
    func served(_ most: Int) -> Int {
      line.runBegins()
      var count = 0
      for index in places.indices where line.admits(&places[index], hasTime: count < most) {
        count += 1
        places[index] = WaitingLine.Place()
      }
      return count
    }
    #expect(served(3) == 3)
    #expect(line.isWaitedIn == false)
    #expect(served(3) == 3 && line.isWaitedIn)
    #expect(served(1000) == 3)
    // With time left, the share grows.
    #expect(served(1000) == 12)
    #expect(served(1000) == 48)
    for _ in 0..<20 { #expect(served(1) == 1) }
    #expect(served(1000) == 1)
    #expect(served(1000) == 4)
  }
}
