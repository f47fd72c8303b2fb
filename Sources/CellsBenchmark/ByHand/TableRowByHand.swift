import Cells

/// A handwritten renderer for the cell `table-row` of `templates/account.html`.
struct TableRowByHand: HandWrittenCell {
  private let id, date, customer, country, item, quantity, amount, status: UInt32

  init(_ id: (String) -> UInt32) {
    self.id = id("id")
    date = id("date")
    customer = id("customer")
    country = id("country")
    item = id("item")
    quantity = id("quantity")
    amount = id("amount")
    status = id("status")
  }

  static var textBytes: Int { 512 }
  static var mostCopies: Int { 1 }

  @inline(__always)
  func renderExpected(
    _ row: Int, _ pen: inout RowPen, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) -> Bool {
    let rows = pen.rows
    // Eight members, with no nodes except their names and values.
    guard rows.isPlainObject(row), rows.count(row) == 8, rows.end(row) == row + 17 else { return false }
    let nodes = rows.nodes + row
    guard nodes[1].link == id, nodes[3].link == date, nodes[5].link == customer, nodes[7].link == country,
      nodes[9].link == item, nodes[11].link == quantity, nodes[13].link == amount, nodes[15].link == status
    else { return false }
    pen.put("<tr>\n  <th scope=\"row\">")
    guard pen.number(row + 2) else { return false }
    pen.put("</th>\n  <td>")
    guard pen.text(row + 4) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.text(row + 6) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.text(row + 8) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.text(row + 10) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.number(row + 12) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.number(row + 14) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.text(row + 16) else { return false }
    pen.put("</td>\n</tr>")
    return true
  }

  @inline(never)
  func renderAny(_ row: Int, of rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    try output.put("<tr>\n  <th scope=\"row\">")
    try output.put(rows.member(id, of: row), of: rows, to: .text)
    try output.put("</th>")
    for name in [date, customer, country, item, quantity, amount, status] {
      try output.put("\n  <td>")
      try output.put(rows.member(name, of: row), of: rows, to: .text)
      try output.put("</td>")
    }
    try output.put("\n</tr>")
  }
}
