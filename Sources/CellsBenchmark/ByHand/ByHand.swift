import Cells

/// The cells that also have a handwritten renderer, by kind.
enum ByHand {
  case news(NewsByHand)
  case product(ProductByHand)
  case tableRow(TableRowByHand)

  /// Returns nil if the kind has no handwritten renderer.
  init?(_ kind: String, _ stages: CellStages) {
    switch kind {
    case "news": self = .news(NewsByHand(stages.nameID))
    case "product": self = .product(ProductByHand(stages.nameID))
    case "table-row": self = .tableRow(TableRowByHand(stages.nameID))
    default: return nil
    }
  }

  /// Renders every parsed row. Returns the number of bytes.
  func render(_ stages: CellStages) -> Int {
    guard let count = try? stages.render(by: render) else { preconditionFailure("the rows print too much") }
    return count
  }

  /// The rendered bytes; nil if there are too many.
  func rendered(_ stages: CellStages) -> [UInt8]? { stages.rendered(by: render) }

  private func render(_ rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    switch self {
    case .news(let cell): try cell.render(rows, into: &output)
    case .product(let cell): try cell.render(rows, into: &output)
    case .tableRow(let cell): try cell.render(rows, into: &output)
    }
  }
}
