/// One row with its surroundings, as a cell sees it.
package struct RowContext: BitwiseCopyable {
  /// The row's data.
  package var row: JSONTape.Index
  /// The index of the row in the request, from 0; or of an item, if an outlet's list has it as its row.
  package var index: Int
  /// The number of rows, or of the items of that list.
  package var count: Int
  /// The request's owner, if it has one.
  package var owner: JSONTape.Index?

  package init(row: JSONTape.Index, index: Int, count: Int, owner: JSONTape.Index? = nil) {
    self.row = row
    self.index = index
    self.count = count
    self.owner = owner
  }
}
