import CellTemplates
import Scaling
import Testing

@testable import Cells

/// Values of megabytes are printed in parts that together are the same as the whole.
@Suite struct LongValueTests {
  private static let archive = Result { try RenderHarness.archive(["x.mustache": "x"]) }

  /// A text made of pieces that escapers and URL parsers treat specially.
  private static func text(_ count: Int, from pieces: [String], using numbers: inout SeededNumbers) -> String
  {
    var text = ""
    while text.utf8.count < count { text += pieces.randomElement(using: &numbers)! }
    return text
  }

  private static let pieces = [
    "a", "b7", "%41", "%", "%4", "%%", "é", "€", "😀", "\u{2028}", "\u{2029}", "&", "<", ">", "\"", "'", "/",
    "\\", ",", " ",
    "\t", "\n", "#", "?", ":", "&amp;", "plain text without anything to escape in it",
  ]

  @Test(arguments: Escaper.allCases)
  func partsTogetherEqualTheWhole(_ escaper: Escaper) throws {
    let archive = try Self.archive.get()
    let schemes = AllowedSchemes(archive)
    var numbers = SeededNumbers(state: 5)
    let beginnings = [
      "", "/", "//", "https://a.example/", "javascript:", "#", "\t \n/", "data",
      String(repeating: "/", count: 70_000),
      String(repeating: "\\/", count: 40_000), String(repeating: " ", count: 70_000),
      String(repeating: "\t", count: 66_000),
      String(repeating: "a", count: 80_000) + ":", "ht" + String(repeating: "\n", count: 300) + "tps:",
      "/" + String(repeating: "\t", count: 300),
    ]
    for beginning in beginnings {
      let others = [["%4", "1"], ["€"], ["a"], ["/", "\\"], ["%"]]
      for pieces in [Self.pieces] + (beginning.isEmpty ? others : []) {
        let text =
          beginning
          + Self.text(Int.random(in: 65_537...140_000, using: &numbers), from: pieces, using: &numbers)
        var source = ByteBuffer()
        source.append(text: text)
        source.reserve(ByteBuffer.padding)
        var whole = ByteBuffer()
        var parts = ByteBuffer()
        if escaper == .json {
          whole.appendScriptJSON(source.bytes)
        } else {
          whole.append(source.bytes, through: escaper, allowing: schemes)
        }
        var long = LongText(through: escaper)
        var count = 1
        while !long.appendPart(of: source.bytes, to: &parts, allowing: schemes) { count += 1 }
        let isEqual = whole.bytes.elementsEqual(parts.bytes)
        #expect(isEqual, "\(escaper): \(text.prefix(40)) with \(pieces.first!)")
        #expect(count <= source.count * escaper.workPerByte / 32_000 + 1)
      }
    }
  }

  /// The last part of a long value may be one that is judged where it is the whole value.
  @Test(arguments: Escaper.allCases.filter { !$0.takesJSON })
  func theEndOfAValueIsNotAValue(_ escaper: Escaper) throws {
    let schemes = AllowedSchemes(try Self.archive.get())
    for end in [".", "..", "/", ","] {
      var source = ByteBuffer()
      source.append(text: String(repeating: "a", count: 96 << 10) + end)
      source.reserve(ByteBuffer.padding)
      var whole = ByteBuffer()
      whole.append(source.bytes, through: escaper, allowing: schemes)
      var parts = ByteBuffer()
      var long = LongText(through: escaper)
      while !long.appendPart(of: source.bytes, to: &parts, allowing: schemes) {}
      #expect(whole.bytes.elementsEqual(parts.bytes), "\(escaper): \(end)")
    }
  }

  /// Values that must be checked completely are refused if that would take long.
  @Test func valuesCheckedAsAWholeAreShort() throws {
    let harness = try RenderHarness([
      "c.html": """
      <p data-cell="c" style="width: {{a}}"><a ping="{{a}}" href="https://{{a}}.example/">x</a><img srcset="{{a}}"><img srcset="/ {{a}}"></p>
      """
    ])
    func rendered(_ value: String) throws -> RenderHarness.Outcome {
      try harness.outcomes("c", #"{"a":"\#(value)"}"#)[0]
    }
    let fitting = String(repeating: "7", count: 256 << 10)
    #expect(
      try rendered(fitting)
        == .rendered(
          "<p style=\"width: \(fitting)\"><a ping=\"\(fitting)\" href=\"https://\(fitting).example/\">x</a><img srcset=\"\(fitting)\"><img srcset=\"/ \(fitting)\"></p>"
        ))
    let refused = "about:invalid#cell"
    #expect(
      try rendered(fitting + "7")
        == .rendered(
          "<p style=\"width: invalid\"><a ping=\"\(refused)\" href=\"https://\(refused).example/\">x</a><img srcset=\"\(refused)\"><img srcset=\"/ \"></p>"
        ))
  }

  private static let templates = [
    "other.mustache": "{{a}}{{#l}}{{.}}{{/l}}",
    "text.mustache": "<p>{{a}}</p><i title=\"{{b}}\">{{#s}}{{a}}{{/s}}</i>{{>part}}",
    "part.mustache": "<textarea>{{a}}</textarea>\n<a href=\"{{a}}\">{{a}}</a>\n",
    "values.mustache": "<p title=\"{{l}}\">{{o}}</p><script type=\"application/json\">{{o}}</script>{{l}}",
    "medium.mustache": String(repeating: "<i>{{m}}</i>", count: 200),
    "plain.txt.mustache": "{{a}}\n  {{b}}\n  {{>other}}\n",
    "nib.html": """
    <article data-cell="nib"><h2 data-outlet="a">x</h2><p data-outlet="w" class="x" data-bind="title"><b data-outlet="b">y</b></p>
    <ul><li data-outlet="l">z</li></ul><script type="application/json" data-outlet="o"></script></article>
    """,
  ]

  private static func row(seed: UInt64) -> String {
    var numbers = SeededNumbers(state: seed)
    func string(_ count: Int) -> String {
      let text = Self.text(count, from: Self.pieces, using: &numbers)
      return "\""
        + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        .replacing("\t", with: "\\t") + "\""
    }
    let list = (0..<9000).map { $0 % 500 == 0 ? "[\(string(40))]" : String($0) }.joined(separator: ",")
    let members = (0..<6000).map { "\"n\(Int.random(in: 0..<5000, using: &numbers))\":[\($0)]" }.joined(
      separator: ",")
    let words = (0..<3000).map { $0 == 1000 ? string(70_000) : "\"w\($0)\"" }.joined(separator: ",")
    return """
      {"a":\(string(150_000)),"b":\(string(66_000)),"l":[\(list)],"o":{"x":\(string(90_000)),\(members)},\
      "m":\(string(20_000)),"s":[1,2,3],"w":{"class":[\(words),[null,{"a":1},"last"]],"title":\(string(70_000)),"b":\(string(80_000))}}
      """
  }

  @Test(arguments: ["text", "values", "medium", "plain", "nib"], [false, true])
  func pausesDoNotChangeTheOutput(_ kind: String, inPieces: Bool) throws {
    let archive = try RenderHarness.archive(Self.templates)
    for seed in 1...2 {
      let json = Self.row(seed: UInt64(seed))
      var limits = RenderLimits()
      limits.outputBytes = 512 << 20
      let whole = try RenderHarness(archive: archive).outcomes(kind, json, limits: limits)
      let paused = try RenderHarness(archive: archive).renderPausing(
        kind, json, limits: limits, inPieces: inPieces, beside: ("other", #"{"a":{"x":[1,2]},"l":[3]}"#))
      let isEqual = whole == [paused.outcome]
      #expect(isEqual)
      #expect(paused.pauses > 5)
    }
  }

  /// A fault in the middle of a long value leaves no output and does not affect the next row.
  @Test(arguments: ["text", "values", "nib"])
  func aFaultInALongValueLeavesNothing(_ kind: String) throws {
    let harness = try RenderHarness(Self.templates)
    let json = Self.row(seed: 3)
    for bytes in [1000, 70_000, 100_000, 200_000] {
      var limits = RenderLimits()
      limits.outputBytes = bytes
      #expect(try harness.outcomes(kind, json, limits: limits) == [.outputTooLarge(limit: bytes)])
      let paused = try harness.renderPausing(kind, json, limits: limits, beside: ("other", "{}"))
      #expect(paused.outcome == .outputTooLarge(limit: bytes))
      #expect(try harness.outcomes("other", #"{"a":"x"}"#) == [.rendered("x")])
    }
  }

  /// JSON in parts of any size is the same: repeated names, long names, deep values.
  @Test(arguments: [1, 2, 40, 1000, 100_000])
  func jsonInPartsIsTheSameAsAtOnce(_ work: Int) throws {
    let names = (0..<30).map { "\"\($0 % 20)\":\($0)" }.joined(separator: ",")
    let long = String(repeating: "n", count: 300)
    let texts = [
      "{\(names)}", "{\"\(long)\":1,\"\(long)\":[2],\"x\":{}}", "[[[[],{}],[1,\"é\\n\\\"\"]],null,true]",
      "\"\(long)€\"", "7",
      "{\"a\":{\(names)},\"a\":[{\(names)}],\"b\":\"\"}", "{\"b\":{\(names)}}",
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    ]
    let expected = [
      "{" + (0..<20).map { "\"\($0)\":\($0 < 10 ? $0 + 20 : $0)" }.joined(separator: ",") + "}",
      "{\"\(long)\":[2],\"x\":{}}",
    ]
    let factory = try RenderHarness(["x.mustache": "{{a}}"]).factory
    try factory.assumeIsolated { factory throws in
      for (position, json) in texts.enumerated() {
        var text = ByteBuffer()
        text.append(text: json)
        factory.forgetRows()
        let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
        let tape = factory.tape(over: text)
        var whole = ByteBuffer()
        var parts = ByteBuffer()
        tape.appendJSON(root, to: &whole)
        var printer = JSONPrinter(root)
        var count = 1
        while !printer.print(on: tape, to: &parts, work: work) { count += 1 }
        #expect(whole.description == parts.description)
        if position < expected.count { #expect(whole.description == expected[position]) }
        if work < 10 { #expect(count >= whole.count / 40) }
      }
    }
  }

  @Test("a long name is hashed in parts")
  func aLongNameIsHashedInParts() throws {
    let name = String(repeating: "n", count: 1 << 20)
    let factory = try RenderHarness(["x.mustache": "{{a}}"]).factory
    try factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: "{\"\(name)\":1,\"\(name)\":2}")
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      var output = ByteBuffer()
      var printer = JSONPrinter(root)
      let work = 64 << 10
      var count = 1
      while !printer.print(on: tape, to: &output, work: work) { count += 1 }
      #expect(output.description == "{\"\(name)\":2}")
      // Each of the two is hashed twice: to collect the names, and to look up the value that counts.
      #expect(count >= 4 * name.utf8.count / work)
    }
  }
}
