/// Serves connections in the order in which they began to wait, as many in each turn of the loop as it has time for.
///
/// libmicrohttpd asks all that wait, in each of its runs, and those that pipeline requests first. So whoever is put off draws a
/// number, and a run serves the lowest numbers: about as many as the run before had time for, or more if there was time left. While
/// anybody waits longer, who comes or has just been served draws a number, too. So all wait for about the same time, whatever they send.
///
/// Confined to the worker's thread.
struct WaitingLine {
  /// Where a connection stands.
  struct Place: Equatable {
    /// nil if it does not wait.
    fileprivate var number: Int?
    /// The next number when it was served last. Who waited then had lower ones.
    fileprivate var served = -1

    /// Call when it does not wait any longer, although it was not served.
    mutating func leave() { number = nil }
  }

  private static let mostServed = 1 << 16

  /// The next number to be drawn.
  private var next = 0
  /// This run serves lower numbers; without any that waits, everybody.
  private var limit = Int.max
  /// How many numbers that are.
  private var share = 1
  /// The lowest number that the previous run put off; `Int.max` if it put off none.
  private var first = Int.max
  /// The lowest number that this run has put off; `Int.max` if it has put off none.
  private var lowest = Int.max
  /// How many of those that the previous run put off are not served yet.
  private var left = 0
  /// How many this run has put off.
  private var putOffs = 0
  /// How many this run has served, and whether it had no time for others.
  private var served = 0
  private var lackedTime = false

  /// Whether some waited when this run began.
  var isWaitedIn: Bool { first < .max }

  mutating func runBegins() {
    if lowest == .max {
      limit = .max
    } else {
      // Each run asks all that wait, so there should not be many runs; but if it serves many numbers, those asked first have an
      // advantage.
      share = lackedTime ? max(served, (share + 1) / 2) : min(4 * share, Self.mostServed)
      limit = min(lowest + share, next)
    }
    first = lowest
    left = putOffs
    lowest = .max
    putOffs = 0
    served = 0
    lackedTime = false
  }

  /// Whether others come before one in this run, however much time there is.
  func holdsBack(_ place: Place) -> Bool { (place.number ?? next) >= limit }

  /// Whether one is served now. Ask in every run until it is.
  mutating func admits(_ place: inout Place, hasTime: Bool) -> Bool {
    guard hasTime, !holdsBack(place) else {
      putOff(&place, hasTime: hasTime)
      return false
    }
    serve(&place)
    return true
  }

  /// Same, for one that passes others: only those that came after it was served last.
  mutating func admitsPassing(_ place: inout Place, hasTime: Bool) -> Bool {
    guard hasTime, place.served < first else { return admits(&place, hasTime: hasTime) }
    serve(&place)
    return true
  }

  private mutating func serve(_ place: inout Place) {
    if place.number != nil {
      left -= 1
      // All are served that waited: there may be time for those that come now.
      if left == 0 { (limit, first) = (.max, .max) }
    }
    place = Place(number: nil, served: next)
    served += 1
  }

  /// Puts one off to the next run.
  mutating func putOff(_ place: inout Place, hasTime: Bool) {
    if place.number == nil {
      place.number = next
      next += 1
    }
    if let number = place.number { lowest = min(lowest, number) }
    putOffs += 1
    if !hasTime { lackedTime = true }
  }
}
