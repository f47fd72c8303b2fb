import CNodes
import Scaling
import Testing

@testable import Cells

@Suite("A row is parsed alike whatever rows stand before it")
struct JSONRowShapeTests {
  static let names = ["a", "b", "c", "d", "e", "title", "a name of more than sixteen bytes", ""]

  @Test(arguments: [
    // Members that come late, are missing, are additional, or are in another order.
    [#"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#, #"{"b":5,"a":6}"#, #"{"b":7}"#, #"{}"#, #"{"a":8,"b":9,"c":0}"#],
    [#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, #"{"e":1}"#, #"{"a":1,"e":2}"#, #"{"a":1,"d":2,"b":3}"#],
    // Repeated names after a row without them, and vice versa.
    [#"{"a":1,"b":2}"#, #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":3}"#, #"{"b":1,"b":2}"#, #"{"a":1,"b":2}"#],
    [#"{"a":1,"a":2}"#, #"{"a":1,"b":2}"#, #"{"a":1,"a":2}"#],
    [#"{"b":1}"#, #"{"b":{"b":2},"b":3}"#, #"{"b":{"b":2,"b":4}}"#, #"{"x":1,"x":2,"b":3,"x":4}"#],
    // Values of another type.
    [
      #"{"a":{"b":1},"c":2}"#, #"{"a":null,"c":2}"#, #"{"a":[{"b":1}],"c":2}"#, #"{"a":{"b":1,"c":3},"c":2}"#,
    ],
    [
      #"{"a":[],"b":1}"#, #"{"a":[{"c":1},{"c":2}],"b":1}"#, #"{"a":[{"c":1,"c":2}],"b":1}"#,
      #"{"a":{},"b":1}"#,
    ],
    [#"[{"a":1}]"#, #"[{"a":1},{"a":2}]"#, #"{"a":1}"#, #"[[{"a":1}]]"#, "1", #"{"a":1}"#],
    // Names with escapes, and names that are prefixes of others.
    [
      #"{"a":1,"b":2}"#, #"{"\u0061":1,"b":2}"#, #"{"\u0061":1,"b":2}"#, #"{"a":1,"\u0061":2}"#,
      #"{"a":1,"b":2}"#,
    ],
    [#"{"title":1}"#, #"{"title\u0021":1}"#, #"{"titles":1}"#, #"{"titl":1}"#, #"{"Title":1}"#, #"{"":1}"#],
    [#"{"title":"\n","a":"\t"}"#, #"{"title":"x","a":"\\"}"#, #"{"title":"\"","a":"y","title":"z"}"#],
    // White space, and long names.
    [
      #"{"a":1,"b":2}"#, #"{ "a" : 1 , "b" : 2 }"#, #"{ "a" :3 , "b" :4 }"#,
      "{\n\t\"a\":\"5\",\n\t\"b\":\"6\"\n}",
    ],
    [
      #"{"a name of more than sixteen bytes":1}"#, #"{"a name of more than sixteen bytes":2}"#,
      #"{"a name of more than sixteen bytez":3}"#, #"{"a name of more thAn sixteen bytes":4}"#,
    ],
  ])
  func rows(_ rows: [String]) throws {
    try Self.expectAlike(rows)
  }

  @Test("Names of all lengths", arguments: [0, 1, 5, 6, 7, 13, 14, 15, 16, 30, 60, 61, 62, 63, 64, 200])
  func longNames(length: Int) throws {
    let name = String(repeating: "n", count: length)
    try Self.expectAlike(
      [name, name, name + "n", "m" + name, String(name.dropLast()) + "m", name].map {
        "{\"\($0)\":1,\"a\":2}"
      })
  }

  @Test func randomRows() throws {
    var numbers = SeededNumbers(state: 21)
    for _ in 0..<1000 {
      var rows = [JSONRepeatedNameTests.randomObject(["a", "b", "c", "d", "e"], depth: 3, using: &numbers)]
      for _ in 0..<4 {
        rows.append(
          Bool.random(using: &numbers)
            ? rows[0]
            : JSONRepeatedNameTests.randomObject(["a", "b", "c", "d", "e"], depth: 3, using: &numbers))
      }
      try Self.expectAlike(rows)
    }
  }

  @Test(
    "A fault in a row like the row before it",
    arguments: [
      (#"{"a":1,"b":2"#, #"{"a":1,"b":2}"#), (#"{"a" 1,"b":2}"#, "{\"a\" "), (#"{"a","b":2}"#, "{\"a\""),
      (#"{"a" : 1}"#, nil), (#"{"a" , 1}"#, "{\"a\" "), (#"{"a":1 "b":2}"#, "{\"a\":1 "),
      (#"{"a":1,"b"}"#, #"{"a":1,"b""#), (#"{"a":1,"b":}"#, #"{"a":1,"b":"#), (#"{"a":1,}"#, #"{"a":1,"#),
      (#"{"a":1,b":2}"#, #"{"a":1,"#), (#"{"a":1:"b":2}"#, #"{"a":1"#), (#"{"a":1,["b":2}"#, #"{"a":1,"#),
    ] as [(String, String?)])
  func faults(row: String, valid: String?) {
    let before = #"[{"a":1,"b":2},{"a" :1},"#
    let found = fault(of: before + row + "]")
    // If the row is incomplete, the closing bracket of the array is the fault.
    #expect(found?.offset == valid.map { before.utf8.count + min($0.utf8.count, row.utf8.count) })
  }

  @Test("Lines, good and bad, one after another in one text")
  func lines() throws {
    var numbers = SeededNumbers(state: 22)
    let pool = [
      #"{"a":1,"b":2}"#, #"{"a":1,"b":2} x"#, #"{"a":1,"a":2}"#,
      #"{"b":{"a":1,"c":[{"d":1},{"d":2}]},"a":3}"#,
      #"{"\u0061":1,"b":2}"#, #"{"a":"\n","b":"\u0061"}"#, #"[{"a":1},{"a":2,"b":3}]"#, "{}", #"{"a":1,"#,
      "7",
      #"{"a\"b":1,"b":2}"#, #"{"a"b":1,"b":2}"#, #"{"a\\":1,"b":2}"#, #"{"a\":1,"b":2}"#,
    ]
    for _ in 0..<500 {
      let lines = (0..<6).map { _ in
        Int.random(in: 0..<3, using: &numbers) > 0
          ? pool.randomElement(using: &numbers)!
          : JSONRepeatedNameTests.randomObject(["a", "b", "c"], depth: 2, using: &numbers)
      }
      let text = ParsedLines(lines, names: Self.names)
      for (line, root) in zip(lines, text.roots) {
        let alone = try? ParsedJSON(line, names: Self.names)
        #expect((root == nil) == (alone == nil), "\(lines)")
        guard let root, let alone else { continue }
        #expect(text.tape.end(root) - root == alone.tape.end(0), "\(lines)")
        for node in 0..<alone.tape.end(0) {
          let position = text.tape.offset(node + root) - text.starts[text.roots.firstIndex(of: root)!]
          #expect(position == alone.tape.offset(node), "\(lines)")
          let found = Self.describe(node + root, in: text.tape, first: root)
          #expect(found == Self.describe(node, in: alone.tape, first: 0), "\(lines)")
        }
      }
    }
  }

  @Test("What is like its model has its shape")
  func likeness() throws {
    var numbers = SeededNumbers(state: 23)
    let pool = [
      #"{"a":1,"b":"x"}"#, #"{"a":2,"b":"yy"}"#, #"{"a":0,"b":"x"}"#, #"{"a":1,"b":""}"#,
      #"{"a":null,"b":"x"}"#,
      #"{"a":1}"#, #"{"a":1,"b":"x","c":2}"#, #"{"b":"x","a":1}"#, "{}", "null", "[]", "7", #"[{"a":1}]"#,
      "[[]]",
      #"{"a":{"b":1,"c":2},"d":3}"#, #"{"a":{"b":4,"c":5},"d":6}"#, #"{"a":{"b":1},"d":3}"#,
      #"{"a":{"b":1,"c":2,"e":3},"d":3}"#, #"{"a":{},"d":3}"#, #"{"a":[],"d":3}"#, #"{"a":[1],"d":3}"#,
      #"{"a":[{"b":1}],"d":3}"#, #"{"a":1,"a":2}"#, #"{"\u0061":1,"b":"x"}"#, #"{"a":1,"b":"\n"}"#,
      #"{"x":1,"y":"z"}"#, #"{"x":1,"z":"y"}"#, #"{"c":{"a":1,"a":2},"d":1}"#,
      #"{"c":{"\u0061":1,"b":2},"d":1}"#,
    ]
    var likenesses = 0
    for _ in 0..<3000 {
      let few = (0..<3).map { _ in pool.randomElement(using: &numbers)! }
      let rows = (0..<8).map { _ in few.randomElement(using: &numbers)! }
      let text =
        Bool.random(using: &numbers)
        ? "[\(rows.joined(separator: ","))]"
        : "[[\(rows[..<4].joined(separator: ","))],[\(rows[4...].joined(separator: ","))]]"
      let parsed = try ParsedJSON(text, names: Self.names)
      for list in 0..<parsed.tape.end(0) where parsed.tape.kind(list) == .array {
        likenesses += Self.expectLikeModels(in: list, of: parsed.tape, "\(text)")
      }
    }
    #expect(likenesses > 3000)
  }

  @Test(
    "Rows of one shape are like the first",
    arguments: [
      #"{"a":1,"b":"x","c":null,"d":true,"e":1.5}"#, #"{"a":{"b":{"c":"x"}},"d":{}}"#, "{}",
      #"{"x":"y","title":{"a":"z"}}"#,
    ])
  func rowsAlike(row: String) throws {
    let parsed = try ParsedJSON("[\(row),\(row),\(row), \(row)]", names: Self.names)
    #expect(Self.expectLikeModels(in: 0, of: parsed.tape, "\(row)") == 3)
  }

  /// Checks the marks of an array's elements, and returns the number of elements with the shape of their
  /// models.
  private static func expectLikeModels(
    in list: JSONTape.Index, of tape: JSONTape, _ comment: Comment
  ) -> Int {
    let marks = CF_NODE_MODEL.rawValue | CF_NODE_LIKE_MODEL.rawValue
    func shape(_ row: JSONTape.Index) -> [UInt32] {
      (row..<tape.end(row)).flatMap { position in
        let node = tape.nodes(from: position).pointee
        return [node.head & ~marks, tape.kind(position) == .key ? node.link : 0]
      }
    }
    var model: [UInt32]?
    var likenesses = 0
    var row = list + 1
    while row < tape.end(list) {
      switch tape.nodes(from: row).pointee.head & marks {
      case CF_NODE_MODEL.rawValue:
        model = shape(row)
      case CF_NODE_LIKE_MODEL.rawValue:
        #expect(tape.kind(row) == .object, comment)
        #expect(model == nil || model == shape(row), comment)
        model = shape(row)
        likenesses += 1
      case let both:
        #expect(both == 0, comment)
      }
      row = tape.end(row)
    }
    return likenesses
  }

  /// Texts parsed one after another from one buffer.
  private final class ParsedLines {
    private var text = ByteBuffer()
    private let parser = JSONParser()
    private(set) var roots: [JSONTape.Index?] = []
    private(set) var starts: [Int] = []

    init(_ lines: [String], names: [String]) {
      let names = JSONNames(names.map { Array($0.utf8) })
      text.append(text: lines.joined(separator: "\n"))
      var start = 0
      for line in lines {
        let end = start + line.utf8.count
        starts.append(start)
        roots.append(try? parser.parse(&text, in: start..<end, names: names, depthLimit: 512))
        start = end + 1
      }
    }

    var tape: JSONTape { parser.tape(over: text) }
  }

  /// The nodes of each row in an array of all rows are the same as for the row parsed alone.
  private static func expectAlike(_ rows: [String]) throws {
    let text = "[" + rows.joined(separator: ",") + "]"
    let parsed = try ParsedJSON(text, names: names)
    var node: JSONTape.Index = 1
    for row in rows {
      let alone = try ParsedJSON(row, names: names)
      let first = node
      for position in 0..<alone.tape.end(0) {
        #expect(
          describe(node, in: parsed.tape, first: first) == describe(position, in: alone.tape, first: 0),
          "\(text)")
        node += 1
      }
      #expect(parsed.tape.end(first) == node, "\(text)")
    }
    #expect(parsed.tape.end(0) == node)
  }

  private static func describe(_ node: JSONTape.Index, in tape: JSONTape, first: JSONTape.Index) -> String {
    let isContainer = tape.kind(node) == .array || tape.kind(node) == .object
    let text = isContainer ? "" : String(decoding: tape.bytes(node), as: UTF8.self)
    let depth = tape.depth(node) - tape.depth(first)
    switch tape.kind(node) {
    case .key:
      let isSuperseded = tape.isSuperseded(node) ? " superseded" : ""
      return "\(depth) key \(text) \(tape.nameID(node))\(isSuperseded)"
    case .array, .object:
      return "\(depth) \(tape.kind(node)) of \(tape.count(node)), ends \(tape.end(node) - first)"
    default:
      return "\(depth) \(tape.kind(node)) \(text), ends \(tape.end(node) - first)"
    }
  }
}
