import Cells
import CellTemplates
import Glibc

/// NDJSON: one row a line.
extension BodyReader {
  /// Parses every nonblank line until the slice is over. A line that is not JSON is kept as a bad line.
  /// - Returns: nil if there are more lines.
  mutating func readLines(
    of body: inout ByteBuffer, _ slice: inout Slice, _ factory: isolated CellFactory
  ) throws(Problem) -> Batch? {
    // Offsets into the text have 32 bits.
    guard body.count <= JSONParser.textLimitBytes else {
      throw Problem(.bodyTooLarge, detail: "the NDJSON has more than \(JSONParser.textLimitBytes) bytes")
    }
    let lines = lines ?? LineList()
    self.lines = lines
    var readBytes = 0
    while lineStart < body.count {
      if readBytes > Self.longLineBytes {
        if slice.isOver() { return nil }
        readBytes = 0
      }
      let start = lineStart
      let text = Self.behindBlanks(in: body.bytes, from: max(start, blankEnd), most: Self.longLineBytes)
      if text - max(start, blankEnd) == Self.longLineBytes {
        readBytes += Self.longLineBytes + 1
        blankEnd = text
        continue
      }
      lineNumber += 1
      let end = Self.lineEnd(in: body.bytes, from: text)
      lineStart = end + 1
      if text < end {
        if lines.isFull { try grow(lines) }
        if end - start > Self.longLineBytes, ticket != nil {
          begin(start..<end, of: body, factory)
          return nil
        }
        let root = try? factory.parse(&body, in: start..<end, depthLimit: depthLimit)
        lines.append(line(start..<end, root: root))
      }
      readBytes += end - start + Self.longLineBytes / Slice.rows
    }
    let batch = Batch(rows: .lines(lines), content: content, layout: .list)
    guard case .items = content else { return batch }
    return try complete(batch, factory)
  }

  func line(_ range: Range<Int>, root: JSONTape.Index?) -> Batch.Line {
    Batch.Line(
      root: root ?? noIndex, number: lineNumber, start: UInt32(range.lowerBound),
      end: UInt32(range.upperBound))
  }

  private mutating func grow(_ lines: LineList) throws(Problem) {
    let (bytes, passingBytes) = lines.growth
    try reserve(bytes)
    lines.grow()
    reservedBytes -= passingBytes
    budget.release(passingBytes)
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    // In bounds: `start` is an index of the body, and the count is the number of bytes after it.
    guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
      return bytes.count
    }
    return found - UnsafeMutableRawPointer(mutating: base)
  }

  /// The offset of the first byte that is not white space within a line; at most `limit` bytes are looked at.
  private static func behindBlanks(
    in bytes: UnsafeRawBufferPointer, from start: Int, most limit: Int
  ) -> Int {
    let end = min(bytes.count, start + limit)
    return bytes[start..<end].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D } ?? end
  }
}
