import Testing

@testable import Cells

@Suite("Memory of the JSON parser")
struct JSONMemoryTests {
  @Test(
    "What a 16 MiB body takes is bounded, and given back",
    arguments: [
      "[1,1,1,1,", "{\"\":0},{\"a\":[]},", "\"\\n\",", "\"a long string without any tokens in it\",",
    ])
  func givenBack(piece: String) throws {
    let parser = JSONParser()
    let names = JSONNames([Array("a".utf8)])
    var text = ByteBuffer()
    text.append("[")
    let opened = piece.hasPrefix("[")
    let element = opened ? String(piece.dropFirst()) : piece
    while text.count < 16 * 1024 * 1024 - 64 { text.append(text: element) }
    text.append("0]")
    let count = text.count
    _ = try parser.parse(&text, in: 0..<count, names: names, depthLimit: 512)
    #expect(parser.heldBytes <= JSONParser.estimatedBytes(forTextOf: count))
    parser.reset()
    #expect(parser.heldBytes <= JSONParser.keptBytes)
    // The parser still works.
    var small = ByteBuffer()
    small.append("{\"a\":1}")
    let root = try parser.parse(&small, in: 0..<small.count, names: names, depthLimit: 512)
    #expect(parser.tape(over: small).value(named: 0, in: root) == root + 2)
  }

  /// Rows that are kept hold what they need, and not what an earlier text needed.
  @Test func rowsKeepNoMemoryOfAnEarlierText() throws {
    let parser = JSONParser()
    let names = JSONNames([Array("a".utf8)] + (0..<50_000).map { Array("name\($0)".utf8) })
    var large = ByteBuffer()
    large.append(text: "[" + String(repeating: "1,", count: 200_000) + "0]")
    _ = try parser.parse(&large, in: 0..<large.count, names: names, depthLimit: 512)
    parser.reset()
    var small = ByteBuffer()
    small.append("{\"a\":1}")
    let root = try parser.parse(&small, in: 0..<small.count, names: names, depthLimit: 512)
    #expect(parser.heldBytes > 1 << 20)
    parser.trim()
    #expect(parser.heldBytes < 16 << 10, "\(parser.heldBytes)")
    #expect(parser.tape(over: small).value(named: 0, in: root) == root + 2)
  }

  @Test func depthTakesMemoryAndGivesItBack() throws {
    let parser = JSONParser()
    let names = JSONNames([])
    var text = ByteBuffer()
    text.append(text: String(repeating: "[", count: 65535) + String(repeating: "]", count: 65535))
    let count = text.count
    _ = try parser.parse(&text, in: 0..<count, names: names, depthLimit: 65535)
    #expect(parser.heldBytes <= JSONParser.estimatedBytes(forTextOf: count, depthLimit: 65535))
    parser.reset()
    #expect(parser.heldBytes <= JSONParser.keptBytes)
  }

  @Test func memoryForManyNamesIsReused() throws {
    let parser = JSONParser()
    let count = 100_000
    let names = JSONNames((0..<count).map { Array("name\($0)".utf8) })
    var text = ByteBuffer()
    text.append("{\"name7\":1}")
    _ = try parser.parse(&text, in: 0..<text.count, names: names, depthLimit: 512)
    let held = parser.heldBytes
    #expect(held >= 4 * count)
    parser.reset()
    #expect(parser.heldBytes == held)
    #expect(held <= JSONParser.keptBytes + 4 * count)
  }

  @Test func manyLinesStayWithinTheEstimateOfTheirWhole() throws {
    let parser = JSONParser()
    let names = JSONNames([])
    var text = ByteBuffer()
    let lines = 200_000
    for _ in 0..<lines { text.append("1\n") }
    for line in 0..<lines {
      let root = try parser.parse(&text, in: (2 * line)..<(2 * line + 1), names: names, depthLimit: 512)
      if root != UInt32(line) { Issue.record("line \(line) is node \(root)") }
    }
    #expect(parser.heldBytes <= JSONParser.estimatedBytes(forTextOf: text.count))
  }

  @Test func aFreshParserHoldsLittleAndAnEstimateGrowsWithTheText() {
    #expect(JSONParser().heldBytes == 0)
    #expect(JSONParser.estimatedBytes(forTextOf: 0) < 64 * 1024)
    let large = JSONParser.estimatedBytes(forTextOf: 16 * 1024 * 1024)
    let mebibyte = 1024 * 1024
    #expect(large > 16 * 12 * mebibyte && large < 16 * 13 * mebibyte)
  }
}
