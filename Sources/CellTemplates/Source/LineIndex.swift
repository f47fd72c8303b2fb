/// Where each line of a text begins, for places as line and column.
package struct LineIndex: Sendable {
  /// Offsets fit 32 bits, as files do.
  private let starts: [UInt32]
  private let count: Int

  /// - Parameter start: where the first line begins: behind a byte order mark.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    var starts = [UInt32(start)]
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(UInt32(index + 1)) }
    self.starts = starts
    count = bytes.count
  }

  /// Line and column of a byte, counted from 1; columns in bytes. The end of the text is a position.
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
