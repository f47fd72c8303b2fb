import Scaling
import Testing

@testable import Cells

@Suite("Of a repeated name the last value counts")
struct JSONRepeatedNameTests {
  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "2", #"{"a":2}"#),
    (#"{"a":1,"b":0,"a":2}"#, "2", #"{"a":2,"b":0}"#),
    (#"{"a":1,"a":2,"b":0,"a":3}"#, "3", #"{"a":3,"b":0}"#),
    (#"{"a":{"a":1},"a":2}"#, "2", #"{"a":2}"#),
    (#"{"a":1,"b":{"a":5},"a":{"a":6}}"#, #"{"a":6}"#, #"{"a":{"a":6},"b":{"a":5}}"#),
    (#"{"b":{"a":5},"a":2}"#, "2", #"{"b":{"a":5},"a":2}"#),
    (#"{"b":{"a":5,"a":[6,{"a":1,"a":2}]},"a":2}"#, "2", #"{"b":{"a":[6,{"a":2}]},"a":2}"#),
    // Two spellings of the same name.
    (#"{"\u0061":1,"a":2}"#, "2", #"{"a":2}"#),
    (#"{"a":1,"\u0061":2}"#, "2", #"{"a":2}"#),
    (#"{"\u0061":1,"\u0061":{"a":1,"\u0061":9}}"#, #"{"a":9}"#, #"{"a":{"a":9}}"#),
    (#"{"a":1,"a":2,"\u0061":3,"\u0062":4,"a":5}"#, "5", #"{"a":5,"b":4}"#),
    // Next to values with escapes.
    (#"{"a":"\n","b":"\t\t","a":"\\"}"#, #""\\""#, #"{"a":"\\","b":"\t\t"}"#),
    // The parser does not check names outside the table, but they are printed once, too.
    (#"{"x":1,"a":2,"x":3}"#, "2", #"{"x":3,"a":2}"#),
    (#"{"x":{"y":1,"\u0079":2},"a":[],"\u0078":null}"#, "[]", #"{"x":null,"a":[]}"#),
  ])
  func lastCounts(text: String, value: String, printed: String) throws {
    let parsed = try ParsedJSON(text, names: ["a", "b"])
    let found = try #require(parsed.tape.value(named: 0, in: parsed.root))
    var output = ByteBuffer()
    parsed.tape.appendJSON(found, to: &output)
    #expect(output.description == value)
    #expect(parsed.printed == printed)
    #expect(try ParsedJSON(text).printed == printed)
  }

  @Test func supersededKeysAreMarkedOthersAreNot() throws {
    let parsed = try ParsedJSON(
      #"{"a":0,"b":{"a":1},"a":{"a":2},"x":3,"x":4,"c":5}"#, names: ["a", "b", "c"])
    let tape = parsed.tape
    // 0 {  1 a  3 b  4 { 5 a  7 a  8 { 9 a  11 x  13 x  15 c
    let keys: [JSONTape.Index] = [1, 3, 5, 7, 9, 11, 13, 15]
    #expect(keys.map { tape.kind($0) } == Array(repeating: .key, count: 8))
    #expect(keys.filter { tape.isSuperseded($0) } == [1])
    #expect(tape.count(0) == 6)
  }

  @Test("More names than the parser keeps bits for")
  func manyNames() throws {
    let names = (0..<300).map { "name\($0)" }
    var members = names.map { "\"\($0)\":1" }
    #expect(try supersededKeys(members, names) == [])
    members.append("\"name70\":2")
    members.append("\"name6\":2")
    let firstKeys: [JSONTape.Index] = [13, 141]  // Of name6 and name70.
    #expect(try supersededKeys(members, names) == firstKeys)
  }

  private func supersededKeys(_ members: [String], _ names: [String]) throws -> [JSONTape.Index] {
    let parsed = try ParsedJSON("{" + members.joined(separator: ",") + "}", names: names)
    return (0..<UInt32(members.count)).map { 1 + 2 * $0 }.filter { parsed.tape.isSuperseded($0) }
  }

  @Test(
    "100,000 members, known, unknown and escaped, are not compared each with each", .timeLimit(.minutes(1)))
  func hostileObjects() throws {
    let count = 100_000
    for name in ["\"a\"", "\"x\"", "\"\\u0061\""] {
      let body = Array(repeating: "\(name):1", count: count).joined(separator: ",")
      let parsed = try ParsedJSON("{\(body)}", names: ["a"])
      #expect(parsed.tape.count(0) == count)
      #expect(parsed.printed == (name == "\"x\"" ? "{\"x\":1}" : "{\"a\":1}"))
    }
    let distinct = (0..<count).map { "\"k\($0)\":{\"a\":1,\"a\":\($0)}" }.joined(separator: ",")
    let parsed = try ParsedJSON("{\(distinct)}", names: ["a", "k5"])
    #expect(
      parsed.printed == "{" + (0..<count).map { "\"k\($0)\":{\"a\":\($0)}" }.joined(separator: ",") + "}")
  }

  /// Repeated names of large objects are marked after the walk, in parts.
  @Test(arguments: [1, 1000, 100_000])
  func largeObjectsInParts(partBytes: Int) throws {
    let triples = (0..<20_000).map { #""a":\#($0),"b":{"a":1,"a":[\#($0)]},"k\#($0)":0"# }
    let members = triples.joined(separator: ",")
    let bytes = Array("[{\(members)},{\(members),\"c\":1},{\"a\":1,\"a\":2}]".utf8)
    let whole = try ParsedJSON(bytes, names: ["a", "b", "c", "k7"])
    var text = ByteBuffer()
    text.append(bytes)
    let parser = JSONParser()
    let range = 0..<bytes.count
    parser.begin(text, in: range)
    parser.prepare(&text, in: range, depthLimit: 512)
    var part = JSONParser.Part.more
    var parts = 0
    while part == .more {
      part = parser.parsePart(&text, in: range, names: whole.names, depthLimit: 512, bytes: partBytes)
      parts += 1
    }
    #expect(part == .root(whole.root))
    #expect(parts > bytes.count / partBytes / 8)
    let tape = parser.tape(over: text)
    let keys = (0..<UInt32(parser.nodeCount)).filter { tape.kind($0) == .key }
    #expect(keys.filter { tape.isSuperseded($0) } == keys.filter { whole.tape.isSuperseded($0) })
    #expect(keys.count { tape.isSuperseded($0) } > 100_000)
    var output = ByteBuffer()
    tape.appendJSON(whole.root, to: &output)
    #expect(output.description == whole.printed)
  }

  @Test("With any hint, over rows of changing shape, a lookup finds what a scan finds")
  func hints() throws {
    var numbers = SeededNumbers(state: 11)
    let names = ["a", "b", "c", "d", "e"]
    var hints = [UInt32](repeating: 0, count: names.count)
    var found = 0
    for _ in 0..<400 {
      // Rows in one array, so that a hint may point into a neighbour or beyond.
      let rows = (0..<4).map { _ in Self.randomObject(names, depth: 2, using: &numbers) }
      let parsed = try ParsedJSON("[" + rows.joined(separator: ",") + "]", names: names)
      let tape = parsed.tape
      var object: JSONTape.Index = 1
      while object < tape.end(0) {
        for id in 0..<names.count {
          let scanned = tape.value(named: UInt32(id), in: object)
          #expect(scanned == Self.lastValue(of: UInt32(id), in: object, tape))
          if Int.random(in: 0..<4, using: &numbers) == 0 { hints[id] = .random(in: 0..<40, using: &numbers) }
          if Int.random(in: 0..<50, using: &numbers) == 0 {
            hints[id] = .max - .random(in: 0..<20, using: &numbers)
          }
          // With any hint, it finds the right value or nothing.
          let expected = tape.value(named: UInt32(id), in: object, expectedAt: hints[id])
          #expect(expected == nil || expected == scanned)
          if let scanned {
            hints[id] = scanned - 1 - object
            #expect(tape.value(named: UInt32(id), in: object, expectedAt: hints[id]) == scanned)
            found += 1
          }
        }
        object = tape.end(object)
      }
    }
    #expect(found > 1000)
  }

  /// Looks at all keys and returns the value of the last one with this id.
  private static func lastValue(of id: UInt32, in object: JSONTape.Index, _ tape: JSONTape) -> JSONTape.Index?
  {
    var last: JSONTape.Index?
    var key = object + 1
    while key < tape.end(object) {
      if tape.nameID(key) == id { last = key + 1 }
      key = tape.end(key + 1)
    }
    return last
  }

  static func randomObject(_ names: [String], depth: Int, using numbers: inout SeededNumbers) -> String {
    let members = (0..<Int.random(in: 0...7, using: &numbers)).map { _ in
      var name = names.randomElement(using: &numbers)!
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: name = "unknown\(Int.random(in: 0..<3, using: &numbers))"
      case 1: name = "\\u00" + String(name.utf8.first!, radix: 16)
      default: break
      }
      let value: String
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0 where depth > 0: value = randomObject(names, depth: depth - 1, using: &numbers)
      case 1 where depth > 0: value = "[1,\(randomObject(names, depth: depth - 1, using: &numbers))]"
      case 2: value = "\"a\\tb\""
      default: value = "\(Int.random(in: 0..<100, using: &numbers))"
      }
      return "\"\(name)\":\(value)"
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}
