import Scaling
import Testing

@testable import Cells

@Suite("JSON that is refused: the first fault from the left decides")
struct JSONFaultTests {
  struct Row: CustomTestStringConvertible {
    let bytes: [UInt8]
    let offset: Int
    let reason: String
    var testDescription: String { String(decoding: bytes, as: UTF8.self) }

    init(_ text: String, _ offset: Int, _ reason: String) {
      self.init(Array(text.utf8), offset, reason)
    }

    init(_ bytes: [UInt8], _ offset: Int, _ reason: String) {
      self.bytes = bytes
      self.offset = offset
      self.reason = reason
    }
  }

  static let rows: [Row] = [
    // No value at all
    Row("", 0, "unexpected end of input"),
    Row(" \t\r\n", 4, "unexpected end of input"),
    Row("\u{C}1", 0, "expected a value"),
    Row("\u{A0}1", 0, "expected a value"),
    Row("\u{FEFF}{}", 0, "a byte order mark, which JSON does not allow"),
    Row("\0", 0, "expected a value"),
    // Structure
    Row("[1 2]", 3, "expected ',' or ']'"),
    Row("[1,]", 3, "expected a value"),
    Row("[,1]", 1, "expected a value or ']'"),
    Row("[1}", 2, "expected ',' or ']'"),
    Row("[\"a\" \"b\"]", 5, "expected ',' or ']'"),
    Row("[\"a\"b]", 4, "expected ',' or ']'"),
    Row("[", 1, "unexpected end of input"),
    Row("[1", 2, "unexpected end of input"),
    Row("[1,", 3, "unexpected end of input"),
    Row("]", 0, "expected a value"),
    Row("{\"a\":1]", 6, "expected ',' or '}'"),
    Row("{\"a\":1,}", 7, "expected a name in quotes"),
    Row("{\"a\" 1}", 5, "expected ':' after a name"),
    Row("{\"a\"}", 4, "expected ':' after a name"),
    Row("{\"a\":}", 5, "expected a value"),
    Row("{a:1}", 1, "expected a name in quotes or '}'"),
    Row("{1:1}", 1, "expected a name in quotes or '}'"),
    Row("{\"a\":1", 6, "unexpected end of input"),
    Row("{\"a\"", 4, "unexpected end of input"),
    Row("1 2", 2, "more text after the value"),
    Row("{}]", 2, "more text after the value"),
    Row("\"a\"\"b\"", 3, "more text after the value"),
    Row("{} // no comments", 3, "more text after the value"),
    // Literals and numbers
    Row("tru", 3, "unexpected end of input"),
    Row("[nul]", 4, "expected true, false or null"),
    Row("[True]", 1, "expected a value or ']'"),
    Row("[truex]", 5, "expected ',' or ']'"),
    Row("[falsefalse]", 6, "expected ',' or ']'"),
    Row("NaN", 0, "expected a value"),
    Row("-", 1, "unexpected end of input"),
    Row("[-a]", 2, "expected a digit"),
    Row("[-Infinity]", 2, "expected a digit"),
    Row("[+1]", 1, "expected a value or ']'"),
    Row("[.5]", 1, "expected a value or ']'"),
    Row("[01]", 2, "a number has a leading zero"),
    Row("[-00]", 3, "a number has a leading zero"),
    Row("[1.]", 3, "expected a digit after the decimal point"),
    Row("[1e]", 3, "expected a digit in the exponent"),
    Row("[1e+]", 4, "expected a digit in the exponent"),
    Row("1e", 2, "unexpected end of input"),
    Row("[1.5.5]", 4, "expected ',' or ']'"),
    Row("[0x1]", 2, "expected ',' or ']'"),
    Row("[1\"a\"]", 2, "expected ',' or ']'"),
    // Strings
    Row("\"abc", 4, "unexpected end of input"),
    Row("\"a\\", 3, "unexpected end of input"),
    Row("\"a\\\"", 4, "unexpected end of input"),
    Row("[\"a\nb\"]", 3, "a control character in a string"),
    Row("[\"\0\"]", 2, "a control character in a string"),
    Row("[\"\\x41\"]", 3, "not an escape that JSON knows"),
    Row("[\"\\\t\"]", 3, "not an escape that JSON knows"),
    Row("[\"\\u00g0\"]", 6, "expected four hexadecimal digits after \\u"),
    Row("[\"\\u12\"]", 6, "expected four hexadecimal digits after \\u"),
    Row("\"\\u12", 5, "unexpected end of input"),
    Row("['a']", 1, "expected a value or ']'"),
    Row("[\\n]", 1, "expected a value or ']'"),
    // Surrogates
    Row("\"\\ud800\"", 1, "a lone surrogate"),
    Row("\"a\\udc00\"", 2, "a lone surrogate"),
    Row("\"\\ud800\\n\"", 1, "a lone surrogate"),
    Row("\"\\ud800\\ud800\"", 1, "a lone surrogate"),
    Row("\"\\udbff\\ue000\"", 1, "a lone surrogate"),
    Row("\"\\ud800\\uXXXX\"", 9, "expected four hexadecimal digits after \\u"),
    Row("\"\\ud800", 7, "unexpected end of input"),
    Row("{\"\\udead\":1}", 2, "a lone surrogate"),
    // UTF-8 (RFC 3629)
    Row([0x22, 0xFF, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0x80, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xC0, 0xAF, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xC1, 0xBF, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xED, 0xA0, 0x80, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1, "invalid UTF-8"),
    Row([0x22, 0x61, 0xE2, 0x82, 0x22], 2, "invalid UTF-8"),
    Row([0x22, 0xE2, 0x82], 1, "invalid UTF-8"),
    Row([0x5B, 0x31, 0xFF, 0x5D], 2, "invalid UTF-8"),
    Row([0x5B, 0x5D, 0xFF], 2, "invalid UTF-8"),
    // Of several faults, the leftmost is reported, although the text is first checked as a whole
    Row("[1,,\"\u{1}\"]", 3, "expected a value"),
    Row("[\"\u{1}\",,]", 2, "a control character in a string"),
    Row(Array("[01,\"".utf8) + [0xFF], 2, "a number has a leading zero"),
    Row(Array("[\"".utf8) + [0xFF] + Array("\",01]".utf8), 2, "invalid UTF-8"),
    Row("{\"a\":1 \"b\":\"unclosed", 7, "expected ',' or '}'"),
    Row("[\"\\ud800\", \"\\q\"]", 2, "a lone surrogate"),
  ]

  @Test(arguments: rows) func refused(_ row: Row) {
    #expect(fault(of: row.bytes) == JSONFault(kind: .invalid, offset: row.offset, reason: row.reason))
  }

  @Test("Bytes behind the text change nothing", arguments: rows)
  func bytesBehind(_ row: Row) {
    for behind in ["]", "\"]", "1", "e5", "}", "lse", "\\", ",1]}"] {
      #expect(fault(of: row.bytes, behind: Array(behind.utf8))?.offset == row.offset)
    }
  }

  @Test(
    "Bytes behind a valid text are not read", arguments: ["1", "-0", "1.5", "true", "null", "[]", "\"a\\n\""])
  func bytesBehindAccepted(_ text: String) throws {
    for behind in ["2", ".", "e", "x", "\"", "]", "\\", "\u{FF}"] {
      let parsed = try ParsedJSON(Array(text.utf8), behind: Array(behind.utf8))
      #expect(parsed.printed == text)
      #expect(parsed.text.bytes.suffix(behind.utf8.count).elementsEqual(behind.utf8))
    }
  }

  @Test(
    "The limit itself is accepted; the fault is at the bracket over it", arguments: [1, 2, 512, 513, 65535])
  func depth(limit: Int) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"b\":", "}]")] {
      let containers = open.hasPrefix("[{") ? 2 : 1
      let times = limit / containers
      let inner = "[{".contains(open.first!) ? "1" : ""
      let deepest =
        String(repeating: open, count: times) + inner + String(repeating: close, count: times)
      let parsed = try ParsedJSON(deepest, depthLimit: limit)
      #expect(parsed.printed == deepest)
      guard containers * times == limit else { continue }
      let over = fault(of: String(repeating: open, count: times) + " [", depthLimit: limit)
      #expect(
        over
          == JSONFault(
            kind: .tooDeep, offset: open.utf8.count * times + 1, reason: "nested deeper than \(limit)"))
    }
  }

  @Test func depthAndOtherFaultsInOrder() {
    #expect(
      fault(of: "[[[ x", depthLimit: 2)
        == JSONFault(kind: .tooDeep, offset: 2, reason: "nested deeper than 2"))
    #expect(fault(of: "[x[[[", depthLimit: 2)?.kind == .invalid)
    #expect(fault(of: "[[],[[]]]", depthLimit: 2)?.offset == 5)
    #expect(fault(of: "[[],{},[{}]]", depthLimit: 3) == nil)
    #expect(fault(of: "[{}", depthLimit: 1)?.kind == .tooDeep)
  }

  @Test(arguments: [
    ("", 0, 1, 1), ("ab", 1, 1, 2), ("ab", 2, 1, 3), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1), ("\n\n", 2, 3, 1),
    ("é1", 2, 1, 3), ("a\r\nb", 3, 2, 1), ("[1,\n  2,,", 8, 2, 5),
  ])
  func lineAndColumn(text: String, offset: Int, line: Int, column: Int) {
    var buffer = ByteBuffer()
    buffer.append(text: text)
    let position = Cells.lineAndColumn(of: offset, in: buffer.bytes)
    #expect(position.line == line && position.column == column)
  }

  @Test func linesOfLongTextsAreCounted() {
    var numbers = SeededNumbers(state: 3)
    for _ in 0..<300 {
      var buffer = ByteBuffer()
      for _ in 0..<Int.random(in: 0...90, using: &numbers) {
        buffer.append(byte: [0x0A, 0x20, 0x8A, 0x0B, 0x09, 0x61].randomElement(using: &numbers)!)
      }
      let offset = Int.random(in: 0...buffer.count, using: &numbers)
      let before = buffer.bytes[..<offset]
      let position = Cells.lineAndColumn(of: offset, in: buffer.bytes)
      #expect(position.line == 1 + before.count { $0 == 0x0A })
      #expect(position.column == offset - (before.lastIndex(of: 0x0A) ?? -1))
    }
  }

  /// Not the arguments themselves, which the runner would print.
  private static let longTexts = [
    "\"" + String(repeating: "\\n", count: 100_000) + "\\x\"",
    "\"" + String(repeating: "a", count: 200_000),
    "{\"" + String(repeating: "\u{20AC}", count: 70_000) + "\":x",
    String(repeating: "1", count: 200_000) + "e",
    "[1." + String(repeating: "0", count: 200_000) + "x",
    "[" + String(repeating: " ", count: 200_000) + "x",
    "[1" + String(repeating: " ", count: 200_000) + "x",
    "1" + String(repeating: "\n", count: 200_000) + "1",
  ]

  /// What is looked at in one step is bounded, also within a single value.
  @Test(arguments: longTexts.indices) func faultsAreFoundInSteps(_ number: Int) {
    let text = Self.longTexts[number]
    var buffer = ByteBuffer()
    buffer.append(text: text)
    let whole = JSONParser.firstFault(of: buffer, in: 0..<buffer.count, depthLimit: 8)
    #expect(whole != nil)
    let finder = JSONFaultFinder(0..<buffer.count, depthLimit: 8)
    var steps = 1
    while !finder.look(at: buffer, bytes: 10_000) { steps += 1 }
    #expect(finder.fault == whole)
    #expect(steps >= 19)
  }

  @Test func aRefusedTextAndEarlierNodesAreLeftAlone() throws {
    let parsed = try ParsedJSON("[\"first\"]")
    let refused = "[\"\\u0041\\n\",\"b\\t\",]"
    let start = parsed.text.count
    parsed.text.append(text: refused)
    #expect(throws: JSONFault(kind: .invalid, offset: start + 18, reason: "expected a value")) {
      try parsed.parser.parse(&parsed.text, in: start..<parsed.text.count, names: parsed.names, depthLimit: 8)
    }
    #expect(parsed.text.description == "[\"first\"]" + refused)
    #expect(parsed.printed == "[\"first\"]")
    #expect(parsed.parser.nodeCount == 2)
  }
}
