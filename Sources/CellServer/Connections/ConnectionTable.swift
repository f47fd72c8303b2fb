import CMicrohttpd

/// The connections of one worker, and those that its sweeps look at. Confined to the worker's thread.
final class ConnectionTable {
  /// A sweep also looks at one in so many of the unwatched connections, and at `leastInTurn` at least.
  static let turnsOfSweep = 32
  static let leastInTurn = 64
  /// How long a connection must be idle before it may be closed to make room.
  static let roomAfterMilliseconds = 1000
  /// How many connections are considered in one turn to make room.
  static let lookedAtForRoom = 4096

  // Exclusivity checks are off for these, which every request or turn accesses: no method calls other code while it
  // accesses one.
  @exclusivity(unchecked) private(set) var all: [ClientConnection] = []
  /// The connections that the next sweep looks at. Some may be closed.
  @exclusivity(unchecked) private(set) var watched: [ClientConnection] = []
  /// Index into `all` of the next unwatched connection to look at.
  private var nextInTurn = 0
  /// Index into `all` of the next connection to consider for making room.
  private var nextForRoom = 0

  var isEmpty: Bool { all.isEmpty }

  func add(_ connection: ClientConnection) {
    connection.position = all.count
    all.append(connection)
    watch(connection)
  }

  func remove(_ connection: ClientConnection) {
    connection.isOpen = false
    // Replaced by the last connection, so that removal takes constant time.
    all.swapAt(connection.position, all.count - 1)
    all[connection.position].position = connection.position
    all.removeLast()
  }

  /// Makes sweeps look at the connection until one finds it idle.
  func watch(_ connection: ClientConnection) {
    if connection.isWatched { return }
    connection.isWatched = true
    watched.append(connection)
  }

  /// Makes the next sweep look at some of the unwatched connections too.
  func watchNextInTurn() {
    for _ in 0..<min(all.count, max(all.count / Self.turnsOfSweep, Self.leastInTurn)) {
      if nextInTurn >= all.count { nextInTurn = 0 }
      watch(all[nextInTurn])
      nextInTurn += 1
    }
  }

  /// Stops watching idle connections.
  func forgetIdle() {
    watched.removeAll { connection in
      connection.isWatched = connection.isOpen && !(connection.state.isIdle && !connection.wasFoundEnded)
      return !connection.isWatched
    }
  }

  /// Up to `count` connections to close for others: the longest idle ones among those considered.
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
    var found: [ClientConnection] = []
    for (_, connection) in idle where found.count < count {
      // A request may have arrived since, and may arrive at any moment: each is asked once.
      if cf_readable_bytes(connection.descriptor) == 0 { found.append(connection) }
    }
    return found
  }
}
