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

/// Bounds and policy that hold for every row of a request.
package struct RenderLimits: Sendable {
  /// How deep partials may call one another; the cell itself is level 0.
  package var partialDepth = 64
  /// What the output may grow to, in bytes.
  package var outputBytes = 64 << 20
  /// Turns of loops, and calls of partials, for all rows of a request together: what a small body can make a template
  /// do is bounded even where it prints nothing.
  package var turns = 64 << 20
  package var missing = MissingPolicy.keep

  package init() {}
}
