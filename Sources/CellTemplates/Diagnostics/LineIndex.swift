/// The starts of a text's lines, to convert offsets to lines and columns.
package struct LineIndex: Sendable {
  /// Offsets fit into 32 bits, because of the limits on files.
  private let starts: [UInt32]
  private let count: Int

  /// - Parameter start: the start of the first line, after a byte order mark.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    var starts = [UInt32(start)]
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(UInt32(index + 1)) }
    self.starts = starts
    count = bytes.count
  }

  /// Line and column of a byte, counted from 1; columns in bytes. The end of the text is a valid position.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, Int(starts[0])), count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - Int(starts[low]) + 1)
  }
}
