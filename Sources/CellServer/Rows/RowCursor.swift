import Cells
import CellTemplates

/// Walks over a batch's rows in order. A copy of it is a place to come back to.
struct RowCursor {
  enum Step {
    case node(JSONTape.Index)
    /// A line that is no JSON.
    case badLine(Batch.Line)
  }

  private let rows: Batch.Rows
  private let tape: JSONTape
  /// The next element, of an array.
  private var element: JSONTape.Index = 0
  /// The next row's place, and how many rows there are.
  private(set) var place = 0
  let count: Int

  init(_ batch: Batch, on tape: JSONTape) {
    rows = batch.rows
    self.tape = tape
    count = batch.count(on: tape)
    if case .elements(let array) = rows { element = array + 1 }
  }

  var isAtEnd: Bool { place == count }

  /// The next row. Call it as often as there are rows.
  mutating func next() -> Step {
    defer { place += 1 }
    switch rows {
    case .one(let root):
      return .node(root)
    case .elements:
      defer { element = tape.end(element) }
      return .node(element)
    case .lines(let lines):
      let line = lines[place]
      return line.root == noIndex ? .badLine(line) : .node(line.root)
    }
  }

  /// The next rows, at most `limit`. Only for an array's.
  func run(owner: JSONTape.Index?, limit: Int) -> RowRun {
    RowRun(from: RowContext(row: element, place: place, count: count, owner: owner), limit: limit)
  }

  /// Goes on behind what a run has passed.
  mutating func move(to run: RowRun) {
    (element, place) = (run.next.row, run.next.place)
  }
}
