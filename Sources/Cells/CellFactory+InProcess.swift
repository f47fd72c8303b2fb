import CellTemplates

/// Why rows could not be rendered in process.
public enum CellError: Error, Equatable, Sendable {
  case unknownKind(String)
  /// The first error in the text. Line and column count from 1; columns are in UTF-8 bytes.
  case invalidJSON(line: Int, column: Int, reason: String)
  /// The index of the row, from 0, and what is wrong with it.
  case invalidRow(Int, reason: String)
}

extension CellFactory {
  /// Renders rows in process, without a server.
  ///
  /// - Parameters:
  ///   - kind: the kind of all rows.
  ///   - json: an array of rows, or one row that is not an array.
  /// - Returns: the output for each row, in order.
  /// - Throws: `CellError`. One bad row fails the whole call.
  public func render(_ kind: String, rows json: String) throws(CellError) -> [String] {
    guard let number = archive.kindNumber(kind) else { throw .unknownKind(kind) }
    var text = ByteBuffer(capacity: json.utf8.count)
    text.append(text: json)
    forgetRows()
    // After the last use of the tape: returns the memory that a large text needed.
    defer { parser.reset() }
    let root: JSONTape.Index
    do throws(JSONFault) {
      root = try parser.parse(
        &text, in: 0..<text.count, names: names, depthLimit: JSONParser.defaultDepthLimit)
    } catch {
      let position = lineAndColumn(of: error.offset, in: text.bytes)
      throw .invalidJSON(line: position.line, column: position.column, reason: error.reason)
    }
    let tape = parser.tape(over: text)
    let rows = tape.kind(root) == .array ? tape.elements(of: root) : [root]
    var cell = dequeueReusableCell(ofKind: number)
    defer { enqueue(cell) }
    var cells: [String] = []
    for (position, row) in rows.enumerated() {
      if position > 0, !reusesCells { cell = dequeueReusableCell(ofKind: number) }
      cell.buffer.truncate(to: 0)
      do throws(RenderFault) {
        let context = RowContext(row: row, index: position, count: rows.count)
        try render(cell, context, on: tape, limits: RenderLimits(), into: &cell.buffer)
      } catch {
        throw .invalidRow(position, reason: error.description)
      }
      cells.append(String(decoding: cell.buffer.bytes, as: UTF8.self))
    }
    return cells
  }
}
