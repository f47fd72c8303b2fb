import Cells

/// The cells that are written by hand too, by their kinds.
enum ByHand {
  case news(NewsByHand)
  case product(ProductByHand)
  case tableRow(TableRowByHand)

  /// nil: no cell of that kind is.
  init?(_ kind: String, _ stages: CellStages) {
    switch kind {
    case "news": self = .news(NewsByHand(stages.nameID))
    case "product": self = .product(ProductByHand(stages.nameID))
    case "table-row": self = .tableRow(TableRowByHand(stages.nameID))
    default: return nil
    }
  }

  /// Draws every parsed row. Returns the bytes drawn.
  func render(_ stages: CellStages) -> Int {
    guard let count = try? stages.render(by: draw) else { preconditionFailure("the rows draw too much") }
    return count
  }

  /// The same bytes; nil: too many.
  func rendered(_ stages: CellStages) -> [UInt8]? { stages.rendered(by: draw) }

  private func draw(_ rows: ParsedRows, into output: inout DrawnOutput) throws(OutputTooLarge) {
    switch self {
    case .news(let cell): try cell.draw(rows, into: &output)
    case .product(let cell): try cell.draw(rows, into: &output)
    case .tableRow(let cell): try cell.draw(rows, into: &output)
    }
  }
}
