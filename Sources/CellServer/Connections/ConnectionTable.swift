import CMicrohttpd

/// The connections of one worker, and which of them its sweeps look at. Confined to the worker's thread.
final class ConnectionTable {
  /// One in so many of the connections that are not watched is looked at in a sweep, and `leastInTurn` at least.
  static let turnsOfSweep = 32
  static let leastInTurn = 64
  /// How long a connection must have been idle to be cut for others.
  static let roomAfterMilliseconds = 1000
  /// How many are looked at for that in a turn.
  static let lookedAtForRoom = 4096

  // Unchecked, these: no method calls out while it has hold of one.
  @exclusivity(unchecked) private(set) var all: [ClientConnection] = []
  /// Those that the next sweep looks at; some of them may be closed.
  @exclusivity(unchecked) private(set) var watched: [ClientConnection] = []
  /// Where in `all` those begin that are looked at in turn.
  private var nextInTurn = 0
  /// The same for those that are looked at to make room.
  private var nextForRoom = 0

  var isEmpty: Bool { all.isEmpty }

  func add(_ connection: ClientConnection) {
    connection.place = all.count
    all.append(connection)
    watch(connection)
  }

  func remove(_ connection: ClientConnection) {
    connection.isOpen = false
    // The last takes its place, so that neither is searched for.
    all.swapAt(connection.place, all.count - 1)
    all[connection.place].place = connection.place
    all.removeLast()
  }

  /// Lets the sweeps to come look at the connection, until one finds it idle.
  func watch(_ connection: ClientConnection) {
    if connection.isWatched { return }
    connection.isWatched = true
    watched.append(connection)
  }

  /// Has the next sweep look at some of the others.
  func watchNextInTurn() {
    for _ in 0..<min(all.count, max(all.count / Self.turnsOfSweep, Self.leastInTurn)) {
      if nextInTurn >= all.count { nextInTurn = 0 }
      watch(all[nextInTurn])
      nextInTurn += 1
    }
  }

  /// Looks no longer at those on which nothing is going on.
  func forgetIdle() {
    watched.removeAll { connection in
      connection.isWatched = connection.isOpen && !(connection.state.isIdle && !connection.wasFoundEnded)
      return !connection.isWatched
    }
  }

  /// At most `count` of the connections that have waited longest for a request, and for a while.
  func longestIdle(_ count: Int, at now: Int) -> [ClientConnection] {
    var idle: [(since: Int, connection: ClientConnection)] = []
    for _ in 0..<min(all.count, Self.lookedAtForRoom) {
      if nextForRoom >= all.count { nextForRoom = 0 }
      let connection = all[nextForRoom]
      nextForRoom += 1
      guard case .waiting(let waiting) = connection.state, now - waiting.since >= Self.roomAfterMilliseconds
      else { continue }
      idle.append((waiting.since, connection))
    }
    idle.sort { $0.since < $1.since }
    // A request may have come in the meantime.
    return Array(
      idle.lazy.map(\.connection).filter { cf_readable_bytes($0.descriptor) == 0 }.prefix(count))
  }
}
