import CellServer
import Testing

@Suite struct TransportBusyTurnsTests {
  @Test func onlyATurnWithSeveralAnswersIsFollowedAtOnce() {
    var turns = BusyTurns()
    turns.looked(at: 1000)
    let (none, one, several) = (
      turns.next(answers: 0, at: 1001), turns.next(answers: 1, at: 1002), turns.next(answers: 3, at: 1003)
    )
    #expect(!none && !one && several)
    // For this turn, not the total.
    let after = turns.next(answers: 4, at: 1004)
    #expect(!after)
  }

  @Test func theLoopChecksOtherEventsAfterAWhile() {
    var turns = BusyTurns()
    turns.looked(at: 5)
    let end = 5 + BusyTurns.nanoseconds
    let (before, then, late) = (
      turns.next(answers: 10, at: end - 1), turns.next(answers: 20, at: end),
      turns.next(answers: 30, at: end + 9)
    )
    #expect(before && !then && !late)
    turns.looked(at: end)
    let again = turns.next(answers: 40, at: end + 1)
    #expect(again)
  }
}
