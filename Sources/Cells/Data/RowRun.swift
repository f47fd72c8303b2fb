/// Consecutive rows of an array: the next row to render, and those after it.
package struct RowRun {
  /// The next row, unless the run is at its end.
  package private(set) var next: RowContext
  /// The index of the row at which the run stops; the number of rows if it runs to the end.
  @usableFromInline let stop: Int

  /// - Parameter array: must be an array.
  @inlinable package init(of array: JSONTape.Index, on tape: JSONTape, owner: JSONTape.Index?) {
    next = RowContext(row: array + 1, index: 0, count: tape.count(array), owner: owner)
    stop = next.count
  }

  /// - Parameters:
  ///   - next: the first row of the run, in an array; may be after the last row if `limit` is 0.
  ///   - limit: the maximum number of rows.
  package init(from next: RowContext, limit: Int) {
    self.next = next
    stop = min(next.index + limit, next.count)
  }

  @inlinable package var isAtStop: Bool { next.index == stop }

  @inlinable package var isAtEnd: Bool { next.index == next.count }

  /// Advances by `count` rows, to `row`.
  @inline(__always)
  mutating func advance(by count: Int, to row: JSONTape.Index) {
    next.row = row
    next.index += count
    precondition(next.index <= stop)
  }

  /// Advances by one row.
  package mutating func advance(on tape: JSONTape) {
    precondition(!isAtEnd)
    next.row = tape.end(next.row)
    next.index += 1
  }
}
