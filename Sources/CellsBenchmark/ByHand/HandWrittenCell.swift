import Cells

/// A renderer for one cell, handwritten as well as we can: the reference for templates.
///
/// Its output is the same as the template's for every row (`--check` compares them): a row of the expected
/// form takes the fast path, any other follows the template's rules.
protocol HandWrittenCell {
  /// - Parameter id: returns the number of a name in parsed rows.
  init(_ id: (String) -> UInt32)

  /// The maximum length of the cell's static text in bytes, including the replacements of refused URLs.
  static var textBytes: Int { get }
  /// The maximum number of times it prints a value of the row.
  static var mostCopies: Int { get }

  /// Renders a row of the expected form, for which there is room. Returns false if the row has another form;
  /// then any output is invalid.
  func renderExpected(
    _ row: Int, _ pen: inout RowPen, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) -> Bool

  /// Renders any row.
  func renderAny(_ row: Int, of rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge)
}

extension HandWrittenCell {
  /// The maximum growth by escaping one byte: `&quot;`.
  private static var growth: Int { 6 }

  @inline(never)
  func render(_ rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    var row = rows.root + 1
    let end = rows.end(rows.root)
    while row < end {
      let next = rows.end(row)
      // The row's text is at least as long as its values, so a single check makes room for all of them.
      let textEnd = next < end ? Int(rows.nodes[next].offset) : rows.textCount
      let room = Self.textBytes + Self.growth * Self.mostCopies * (textEnd - Int(rows.nodes[row].offset))
      if room <= output.limit - output.target || output.makesRoom(for: room) {
        var pen = RowPen(rows, output)
        if try renderExpected(row, &pen, &output) {
          output.target = pen.at
          row = next
          continue
        }
      }
      try renderAny(row, of: rows, into: &output)
      row = next
    }
  }
}
