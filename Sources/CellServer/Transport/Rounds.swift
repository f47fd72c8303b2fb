/// Rounds in which each connection that waits is served before any is served again, in as many turns of the loop as that takes.
///
/// A round has members: those that its first turn has put off, and those that already waited then. It ends with the turn in which
/// all of them are served or gone. Those that begin to wait later, or that have been served in it, are members of the next round.
/// So a round ends even if others come all the time, and nobody waits for longer than two rounds.
///
/// Confined to the worker's thread.
struct Rounds {
  /// Where a connection stands.
  struct Place: Equatable {
    /// The round in which it was served last.
    fileprivate var served = 0
    /// The round of which it is a member; `nil` if it does not wait.
    fileprivate var member: Int?

    /// Call when it does not wait any longer, although it was not served.
    mutating func leave() { member = nil }
  }

  private var number = 0
  /// Whether this round began in an earlier turn.
  private(set) var goesOn = false
  /// Whether a member has been put off to the next turn of this round.
  private var isOpen = false

  mutating func turnBegins() {
    goesOn = isOpen
    isOpen = false
    if !goesOn { number += 1 }
  }

  /// Whether one is served now. Ask in every turn until it is.
  mutating func admits(_ place: inout Place, hasTime: Bool) -> Bool {
    guard hasTime, !(goesOn && place.served == number) else {
      putOff(&place)
      return false
    }
    place = Place(served: number)
    return true
  }

  /// Puts one off to the next turn.
  mutating func putOff(_ place: inout Place) {
    let isLate = goesOn || place.served == number
    let member = place.member ?? (isLate ? number + 1 : number)
    place.member = member
    if member <= number { isOpen = true }
  }
}
