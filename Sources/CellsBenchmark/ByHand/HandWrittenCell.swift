import Cells

/// One cell's renderer, written by hand as well as we can: what a template is measured against.
///
/// It draws the same bytes as the template, whatever the row is (`--check` compares them): a row as one expects it goes
/// the short way, any other goes by the template's rules.
protocol HandWrittenCell {
  /// - Parameter id: the number that parsed rows have for a name.
  init(_ id: (String) -> UInt32)

  /// Bytes that the cell's own text may take, at most, whatever it shows, URLs that are refused among them.
  static var textBytes: Int { get }
  /// How often it may print a value of the row.
  static var mostCopies: Int { get }

  /// Draws a row as one expects it, for which there is room; false, whatever was written, if it is another.
  func drawExpected(
    _ row: Int, _ pen: inout RowPen, _ output: inout DrawnOutput
  ) throws(OutputTooLarge) -> Bool

  /// Draws any row.
  func drawAny(_ row: Int, of rows: ParsedRows, into output: inout DrawnOutput) throws(OutputTooLarge)
}

extension HandWrittenCell {
  /// An escaper makes at most 6 bytes of one: `&quot;`.
  private static var growth: Int { 6 }

  @inline(never)
  func draw(_ rows: ParsedRows, into output: inout DrawnOutput) throws(OutputTooLarge) {
    var row = rows.root + 1
    let end = rows.end(rows.root)
    while row < end {
      let next = rows.end(row)
      // What the row has in the text is no less than its values: one question makes room for all of them.
      let textEnd = next < end ? Int(rows.nodes[next].offset) : rows.textCount
      let room = Self.textBytes + Self.growth * Self.mostCopies * (textEnd - Int(rows.nodes[row].offset))
      if room <= output.limit - output.target || output.makesRoom(for: room) {
        var pen = RowPen(rows, output)
        if try drawExpected(row, &pen, &output) {
          output.target = pen.at
          row = next
          continue
        }
      }
      try drawAny(row, of: rows, into: &output)
      row = next
    }
  }
}
