/// One row, as a cell sees it.
package struct RowContext {
  /// The row's data.
  package var row: JSONTape.Index
  /// The row's place in the request, from 0, and how many rows there are.
  package var place: Int
  package var count: Int
  /// The request's owner; none where it has none.
  package var owner: JSONTape.Index?

  package init(row: JSONTape.Index, place: Int, count: Int, owner: JSONTape.Index? = nil) {
    self.row = row
    self.place = place
    self.count = count
    self.owner = owner
  }
}

/// Rows that stand one behind another in an array: the one to draw next, and those behind it.
package struct RowRun {
  /// The next row. There is one until the run is at its end.
  package private(set) var next: RowContext
  /// The place of the row that it stops at; all rows there are, if it need not stop before.
  let stop: Int

  /// - Parameter array: a node that is an array.
  package init(of array: JSONTape.Index, on tape: JSONTape, owner: JSONTape.Index?) {
    next = RowContext(row: array + 1, place: 0, count: tape.count(array), owner: owner)
    stop = next.count
  }

  /// - Parameters:
  ///   - next: the row to begin with, one of an array's; it may lie behind the last if `limit` is 0.
  ///   - limit: rows, at most.
  package init(from next: RowContext, limit: Int) {
    self.next = next
    stop = min(next.place + limit, next.count)
  }

  package var isAtStop: Bool { next.place == stop }

  package var isAtEnd: Bool { next.place == next.count }

  /// Goes on to a row `count` rows behind the next one.
  @inline(__always)
  mutating func advance(by count: Int, to row: JSONTape.Index) {
    next.row = row
    next.place += count
    precondition(next.place <= stop)
  }

  /// Goes on to the row behind the next one.
  package mutating func advance(on tape: JSONTape) {
    precondition(!isAtEnd)
    next.row = tape.end(next.row)
    next.place += 1
  }
}
