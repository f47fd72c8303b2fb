import Testing

@testable import CellServer

@Suite struct RoundsTests {
  /// More begin to wait in every turn than it serves, and those that were served wait again at once.
  @Test func aRoundEndsAlthoughOthersKeepComing() {
    var rounds = Rounds()
    var places: [Rounds.Place] = []
    var servedIn: [[Int]] = []
    // In the order in which libmicrohttpd asks: those that have waited longest first.
    var waiting: [Int] = []
    for turn in 0..<200 {
      for _ in 0..<3 {
        waiting.append(places.count)
        places.append(Rounds.Place())
        servedIn.append([])
      }
      rounds.turnBegins()
      var served: [Int] = []
      for connection in waiting where rounds.admits(&places[connection], hasTime: served.count < 2) {
        served.append(connection)
        servedIn[connection].append(turn)
      }
      // Only the first few always have another request.
      waiting.removeAll { $0 >= 4 && served.contains($0) }
    }
    for connection in 0..<4 {
      // A round is as long as those take that wait when it begins. Their number grows by a third in each.
      #expect(servedIn[connection].count >= 6, "\(servedIn[connection])")
    }
    #expect(servedIn[4..<300].allSatisfy { $0.count == 1 })
  }

  @Test func whoLeavesDoesNotHoldARoundOpen() {
    var rounds = Rounds()
    var (first, second) = (Rounds.Place(), Rounds.Place())
    rounds.turnBegins()
    #expect(rounds.admits(&first, hasTime: true) && !rounds.admits(&second, hasTime: false))
    second.leave()
    rounds.turnBegins()
    // It came again, too late to be a member of this round.
    #expect(rounds.goesOn && !rounds.admits(&second, hasTime: false))
    #expect(!rounds.admits(&first, hasTime: true), "it was served in this round")
    rounds.turnBegins()
    #expect(!rounds.goesOn && rounds.admits(&first, hasTime: true))
  }
}
