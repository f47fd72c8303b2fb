import Cells
import CellTemplates

/// Walks over a batch's rows in order.
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
  private var place = 0

  init(_ rows: Batch.Rows, on tape: JSONTape) {
    self.rows = rows
    self.tape = tape
    if case .elements(let array) = rows { element = array + 1 }
  }

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
}
