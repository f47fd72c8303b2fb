import Cells

/// A handwritten renderer for the cell `table-row` of `Benchmarks/templates/account.html`.
struct TableRowByHand: HandWrittenCell {
  private let id, date, customer, country, item, quantity, amount, status, text: UInt32

  init(_ id: (String) -> UInt32) {
    self.id = id("id")
    date = id("date")
    customer = id("customer")
    country = id("country")
    item = id("item")
    quantity = id("quantity")
    amount = id("amount")
    status = id("status")
    text = id("text")
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
    pen.put("</td>\n  <td class=\"number\">")
    guard pen.number(row + 12) else { return false }
    pen.put("</td>\n  <td class=\"number\">")
    guard pen.number(row + 14) else { return false }
    pen.put("</td>\n  <td>")
    guard pen.text(row + 16) else { return false }
    pen.put("</td>\n</tr>")
    return true
  }

  @inline(never)
  func renderAny(_ row: Int, of rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    let rules = TemplateRules(rows: rows)
    func cell(
      _ name: UInt32, _ opening: StaticString, _ designed: StaticString, _ closing: StaticString
    ) throws(OutputTooLarge) {
      let scope = TemplateRules.Scope(row: row)
      try rules.outlet(rules.findOutlet(name, in: scope), in: scope, stays: true) {
        (_, content) throws(OutputTooLarge) in
        try output.put(opening)
        try output.put(content, of: rows, named: text, designed: designed)
        try output.put(closing)
      }
    }
    try output.put("<tr>")
    try cell(id, "\n  <th scope=\"row\">", "100001", "</th>")
    try cell(date, "\n  <td>", "2025-11-21", "</td>")
    try cell(customer, "\n  <td>", "Brenner &amp; Söhne", "</td>")
    try cell(country, "\n  <td>", "DE", "</td>")
    try cell(item, "\n  <td>", "Oak shelf", "</td>")
    try cell(quantity, "\n  <td class=\"number\">", "2", "</td>")
    try cell(amount, "\n  <td class=\"number\">", "79.80", "</td>")
    try cell(status, "\n  <td>", "paid", "</td>")
    try output.put("\n</tr>")
  }
}
