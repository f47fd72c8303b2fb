import Testing

@testable import Cells

@Suite("What a tape says of its values")
struct JSONValueTests {
  @Test("Kinds are the numbers the parser writes", arguments: JSONKind.allCases)
  func kindsAreStoredAsTheirRawValues(_ kind: JSONKind) {
    #expect(unsafeBitCast(kind, to: UInt8.self) == kind.rawValue)
  }

  @Test(arguments: [
    ("null", JSONKind.null), ("false", .false), ("true", .true), ("1", .number), ("\"\"", .string),
    ("[]", .array),
    ("{}", .object),
  ])
  func kinds(text: String, kind: JSONKind) throws {
    for spaced in [text, " " + text, text + "\n", "\t\r\n " + text + " "] {
      let parsed = try ParsedJSON(spaced)
      #expect(parsed.tape.kind(parsed.root) == kind)
      #expect(parsed.tape.end(parsed.root) == parsed.root + 1)
      #expect(parsed.printed == text)
    }
  }

  @Test(
    "A number keeps the digits that were sent",
    arguments: [
      "19.90", "1e3", "1e400", "-0", "12345678901234567890123", "0", "0.0", "1E+2", "1e-400", "-1.50e+07",
      "123456789012345678901234567890.123456789012345678901234567890e123456789",
    ])
  func numbers(_ number: String) throws {
    for text in [number, "[\(number)]", "{\"a\":\(number)}", "[\(number) , \(number)]"] {
      let parsed = try ParsedJSON(text)
      #expect(parsed.printed == text.filter { $0 != " " })
    }
    let parsed = try ParsedJSON(number)
    #expect(parsed.string(parsed.root) == number)
  }

  @Test(arguments: [
    ("0", true), ("-0", true), ("0.00", true), ("0e5", true), ("0E+7", true), ("-0.0e-9", true),
    ("0.001", false),
    ("1e-400", false), ("10", false), ("0.10", false), ("100e0", false), ("-1", false),
    ("0.0000000001e2", false),
    ("\"0\"", false), ("false", false),
  ])
  func zero(number: String, isZero: Bool) throws {
    let parsed = try ParsedJSON("[\(number),\(number)]")
    #expect(parsed.tape.isZero(parsed.root + 1) == isZero)
    #expect(parsed.tape.isZero(parsed.root + 2) == isZero)
    let alone = try ParsedJSON(number)
    #expect(alone.tape.isZero(alone.root) == isZero)
  }

  @Test(
    "Escapes are replaced once",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC\ud83d\uDE00""#, "Aé€😀"),
      (#""\u0000""#, "\0"), (#""\\u0041""#, "\\u0041"), (#""\\\\n""#, "\\\\n"), (#""x\ny""#, "x\ny"),
      (#""\ufffe\uFFFF\ue000\ud7ff""#, "\u{FFFE}\u{FFFF}\u{E000}\u{D7FF}"),
      (#""\udbff\udfff""#, "\u{10FFFF}"),
      (#""""#, ""), (#""é😀/""#, "é😀/"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    ])
  func escapes(text: String, content: String) throws {
    let alone = try ParsedJSON(text)
    #expect(alone.string(alone.root) == content)
    // As a key, as a value, and as an element between others.
    let parsed = try ParsedJSON("{\(text):[1,\(text),\(text)],\"z\":\(text)}")
    let key = parsed.root + 1
    #expect(parsed.string(key) == content)
    #expect(parsed.string(key + 3) == content)
    #expect(parsed.string(key + 4) == content)
    #expect(parsed.string(key + 6) == content)
    #expect(try ParsedJSON(parsed.printed).printed == parsed.printed)
  }

  @Test func structure() throws {
    let parsed = try ParsedJSON(
      " { \"a\" : [ 1 , [ ] , { \"b\" : null } ] , \"c\" : \"d\" } ", names: ["c", "a", "b"])
    let tape = parsed.tape
    // 0 {  1 a  2 [  3 1  4 []  5 {  6 b  7 null  8 c  9 d
    #expect(parsed.parser.nodeCount == 10)
    #expect([0, 2, 3, 4, 5, 7, 9].map { tape.end($0) } == [10, 8, 4, 5, 8, 8, 10])
    #expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map { tape.depth($0) } == [0, 1, 1, 2, 2, 2, 3, 3, 1, 1])
    #expect([0, 2, 4, 5].map { tape.count($0) } == [2, 3, 0, 1])
    #expect([1, 6, 8].map { tape.nameID($0) } == [1, 2, 0])
    #expect([0, 1, 2, 3, 9].map { tape.offset($0) } == [1, 4, 9, 11, 47])
    #expect(tape.value(named: 0, in: 0) == 9)
    #expect(tape.value(named: 2, in: 0) == nil)
    #expect(tape.value(named: 2, in: 5) == 7)
    #expect(tape.value(named: 2, in: 2) == nil)
    #expect(parsed.printed == "{\"a\":[1,[],{\"b\":null}],\"c\":\"d\"}")
  }

  @Test("Names of every length are found, near misses are not")
  func names() throws {
    var names = [""]
    for length in 1...40 {
      names.append(String(repeating: "n", count: length))
      // The same first and last 8 bytes as another name.
      if length > 17 { names.append("nnnnnnnn" + String(repeating: "m", count: length - 16) + "nnnnnnnn") }
    }
    names += ["é", "title", "titles", "Title", "a\0b", "a"]
    let misses = ["o", "nnnnnnno", "onnnnnnn", "nnnnnnnn\0", "\0", "title\0", "nnnnnnnnmmnnnnnnnnn", "A"]
    let text =
      "{" + (names + misses).map { "\"\($0.replacing("\0", with: "\\u0000"))\":0" }.joined(separator: ",")
      + "}"
    let parsed = try ParsedJSON(text, names: names)
    for position in 0..<names.count {
      #expect(parsed.tape.nameID(UInt32(1 + 2 * position)) == UInt32(position), "\(names[position])")
      #expect(parsed.tape.value(named: UInt32(position), in: 0) == UInt32(2 + 2 * position))
    }
    for position in names.count..<(names.count + misses.count) {
      #expect(
        parsed.tape.nameID(UInt32(1 + 2 * position)) == JSONTape.unknownName,
        "\(misses[position - names.count])")
    }
  }

  @Test func documentsFollowOneAnother() throws {
    let lines = ["{\"a\":\"x\\ny\"}", "[1,2]", "\"\\u0041\"", "{\"\\u0061\":7}"]
    let parser = JSONParser()
    let names = JSONNames([Array("a".utf8)])
    var text = ByteBuffer()
    text.append(text: lines.joined(separator: "\n"))
    var start = 0
    var roots: [JSONTape.Index] = []
    for line in lines {
      roots.append(
        try parser.parse(&text, in: start..<(start + line.utf8.count), names: names, depthLimit: 1))
      start += line.utf8.count + 1
    }
    let tape = parser.tape(over: text)
    let printed = roots.map { root in
      var output = ByteBuffer()
      tape.appendJSON(root, to: &output)
      return output.description
    }
    #expect(roots == [0, 3, 6, 7])
    #expect(printed == ["{\"a\":\"x\\ny\"}", "[1,2]", "\"A\"", "{\"a\":7}"])
    #expect(tape.value(named: 0, in: 7) == 9)
    parser.reset()
    #expect(parser.nodeCount == 0)
  }

  @Test func stringsAreMinimallyEscaped() {
    var output = ByteBuffer()
    let text =
      String(decoding: Array(0...0x80 as ClosedRange<UInt8>).dropLast(), as: UTF8.self)
      + "é\u{2028}</script>/"
    for start in [
      text, String(text.dropFirst(3)), "", "plain", "\"", "12345678\"", "1234567\\8", "1234567é\n",
    ] {
      output.truncate(to: 0)
      Array(start.utf8).withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
      #expect(output.description == JSONReference.string(Array(start.unicodeScalars)).printed)
    }
    output.truncate(to: 0)
    Array("\0\u{1F}\u{8}\"\\/\u{7F}".utf8).withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
    #expect(output.description == "\"\\u0000\\u001f\\b\\\"\\\\/\u{7F}\"")
  }
}
