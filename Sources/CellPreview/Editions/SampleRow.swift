import CellTemplates
import Cells

/// One row of a kind's sample file.
struct SampleRow: Sendable {
  /// The row as written in the file, without the indentation that all its lines share, and without carriage returns: editors in
  /// pages have none.
  let json: String

  /// Samples beyond it are not shown.
  static let countLimit = 200
  /// Larger rows are not shown: no editor in a page is good at them.
  static let bytesLimit = 256 << 10

  /// The rows of a sample file; none if it is not an array in valid JSON, which `cellfactory check` reports.
  static func rows(of bytes: [UInt8]) -> [SampleRow] {
    let parser = JSONParser()
    var text = ByteBuffer(capacity: bytes.count)
    text.append(bytes)
    guard
      let root = try? parser.parse(
        &text, in: 0..<text.count, names: JSONNames([]), depthLimit: JSONParser.defaultDepthLimit),
      parser.tape(over: text).kind(root) == .array
    else { return [] }
    return elements(of: bytes).prefix(countLimit).filter { $0.count <= bytesLimit }.map { row in
      // In valid JSON, a carriage return is only white space.
      let row = bytes[row].filter { $0 != UInt8(ascii: "\r") }
      return SampleRow(json: outdented(String(decoding: row, as: UTF8.self)))
    }
  }

  /// Where the elements of a valid array are. Cost: linear.
  private static func elements(of bytes: [UInt8]) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var depth = 0
    var start: Int?
    var end = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 1, start == nil { start = position }
        depth += 1
        end = position + 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth > 0 { end = position + 1 }
      case UInt8(ascii: ",") where depth == 1:
        if let first = start { elements.append(first..<end) }
        start = nil
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      default:
        if depth == 1, start == nil { start = position }
        if byte == UInt8(ascii: "\"") {
          position += 1
          while bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
          }
        }
        end = position + 1
      }
      position += 1
    }
    if let first = start { elements.append(first..<end) }
    return elements
  }

  private static func outdented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indents = lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }.map { line in
      line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    }
    guard let shared = indents.min(), shared > 0 else { return text }
    return ([lines[0]] + lines.dropFirst().map { $0.dropFirst(min(shared, $0.count)) }).joined(
      separator: "\n")
  }
}
