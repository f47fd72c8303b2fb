import Cells
import CellTemplates

/// Iterates over a batch's rows in order. A copy is a position to return to.
struct RowCursor {
  enum Item {
    case node(JSONTape.Index)
    /// A line that is not JSON.
    case badLine(Batch.Line)
  }

  private let rows: Batch.Rows
  private let tape: JSONTape
  /// The next element of an array.
  private var element: JSONTape.Index = 0
  /// The index of the next row, and the number of rows.
  private(set) var index = 0
  let count: Int

  init(_ batch: Batch, on tape: JSONTape) {
    rows = batch.rows
    self.tape = tape
    count = batch.count(on: tape)
    if case .elements(let array) = rows { element = array + 1 }
  }

  var isAtEnd: Bool { index == count }

  /// The next row. Must not be called at the end.
  mutating func next() -> Item {
    defer { index += 1 }
    switch rows {
    case .one(let root):
      return .node(root)
    case .elements:
      defer { element = tape.end(element) }
      return .node(element)
    case .lines(let lines):
      let line = lines[index]
      return line.root == noIndex ? .badLine(line) : .node(line.root)
    }
  }

  /// The next rows, at most `limit`. Only for rows in an array.
  func run(owner: JSONTape.Index?, limit: Int) -> RowRun {
    RowRun(from: RowContext(row: element, index: index, count: count, owner: owner), limit: limit)
  }

  /// Continues after the rows that the run has passed.
  mutating func move(to run: RowRun) {
    (element, index) = (run.next.row, run.next.index)
  }
}
