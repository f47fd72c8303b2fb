import Scaling
import Testing

@testable import Cells

@Suite("The parser, the judge of faults and a plain reference agree")
struct JSONMutationTests {
  static let valid: [String] = [
    #"{"id":42,"title":"Bread","author":{"name":"Ada","url":"https://example.org"},"tags":["a","b"]}"#,
    #"[true,false,null,0,-0,1.5,1e400,-12.25E-3,12345678901234567890123]"#,
    #"{"a":{"b":{"c":[[[]],[{}],{"d":[]}]}},"a":1,"\u0061":{"a":2}}"#,
    #"["\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00","é😀\\","\\\\","\u0000",""]"#,
    #"{"k":"\n","a":"\t","k":[{"id":"\\","id":2}],"\u006b":{},"title":"","a":null}"#,
    " [ 1 ,\n\t{ \"k\" : \"v\" } , \r\n [ ] ] ",
    "\"just a string\"", "-1.0e+10", "true", " null ", "[]", "{}",
    #"[{"a":1,"b":"x"},{"a":2,"b":"y"},{"b":"z","a":3,"c":[1,2,3]},{}]"#,
    #"{"long name beyond sixteen bytes":"a string of more than sixty-four bytes, to span two blocks"}"#,
  ]

  static let pieces: [[UInt8]] =
    [
      "\"", "\\", "\\\"", "\\\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\t", "\u{C}", "\u{1A}", "\0", "0",
      "1",
      "-", "+", ".", "e", "E", "t", "true", "nul", "\\u", "\\ud800", "\\udc00", "\\u00", "a\"b", "\u{1}",
      "é", "/", "'",
    ].map { Array($0.utf8) } + [
      [0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0xFF], [0xEF, 0xBB, 0xBF],
    ]

  static func mutated(using numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = Array(valid.randomElement(using: &numbers)!.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      let at = Int.random(in: 0...bytes.count, using: &numbers)
      let piece = pieces.randomElement(using: &numbers)!
      switch Int.random(in: 0..<7, using: &numbers) {
      case 0: bytes.insert(contentsOf: piece, at: at)
      case 1: bytes.replaceSubrange(at..<min(at + 1, bytes.count), with: piece)
      case 2: bytes.replaceSubrange(at..<min(at + piece.count, bytes.count), with: piece)
      case 3: bytes.removeSubrange(at..<min(at + Int.random(in: 1...4, using: &numbers), bytes.count))
      case 4: bytes.removeSubrange(at...)
      case 5:
        let to = Int.random(in: at...bytes.count, using: &numbers)
        bytes.insert(contentsOf: bytes[at..<to], at: Int.random(in: 0...bytes.count, using: &numbers))
      default:
        if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
      }
    }
    return bytes
  }

  /// A document that is parsed in parts has the nodes, the text and the fault that it has in one go.
  @Test(arguments: [5, 6, 7] as [UInt64])
  func mutationsInParts(seed: UInt64) throws {
    var numbers = SeededNumbers(state: seed)
    let whole = JSONParser()
    let parser = JSONParser()
    let names = JSONNames(["a", "b", "id", "title", "k"].map { Array($0.utf8) })
    var (accepted, pauses) = (0, 0)
    for number in 0..<3000 {
      var bytes = Self.mutated(using: &numbers)
      if number % 10 == 0 {
        // Longer ones, of rows that are like one another, with many escapes.
        let row = String(decoding: Self.mutated(using: &numbers), as: UTF8.self)
        let escapes = String(
          repeating: #"\n\u0041\ud83d\ude00"#, count: Int.random(in: 0...60, using: &numbers))
        let rows = (0..<60).map { #"{"a":\#($0),"\u0062":"\#(escapes)","k":[\#($0),{"b":"\#(escapes)x"}]}"# }
        bytes = Array("[\(rows.joined(separator: ",")),\(row)]".utf8)
      }
      let depthLimit = [1, 3, 5, 512].randomElement(using: &numbers)!
      // Some have others before and behind them.
      let before = number % 3 == 0 ? Array(#"{"a":1,"k":"\u0041"}"#.utf8) : []
      let range = before.count..<before.count + bytes.count
      var text = ByteBuffer()
      for part in [before, bytes, Array("\n1".utf8)] { text.append(part) }
      var copy = ByteBuffer()
      for part in [before, bytes, Array("\n1".utf8)] { copy.append(part) }
      var root = JSONTape.Index(0)
      if !before.isEmpty {
        _ = try whole.parse(&text, in: 0..<before.count, names: names, depthLimit: depthLimit)
        _ = try parser.parse(&copy, in: 0..<before.count, names: names, depthLimit: depthLimit)
      }
      var thrown: JSONFault?
      do throws(JSONFault) {
        root = try whole.parse(&text, in: range, names: names, depthLimit: depthLimit)
      } catch {
        thrown = error
      }
      let shown = String(decoding: bytes, as: UTF8.self)
      let partBytes = [1, 16, 200, 3000].randomElement(using: &numbers)!
      parser.begin(copy, in: range)
      parser.prepare(&copy, in: range, depthLimit: depthLimit)
      var part = JSONParser.Part.more
      while part == .more {
        part = parser.parsePart(&copy, in: range, names: names, depthLimit: depthLimit, bytes: partBytes)
        if part == .more { pauses += 1 }
      }
      let isSameText = text.bytes.elementsEqual(copy.bytes)
      #expect(isSameText, "\(shown)")
      if let thrown {
        #expect(part == .refused, "\(shown)")
        let finder = JSONFaultFinder(range, depthLimit: depthLimit)
        while !finder.look(at: copy, bytes: partBytes) {}
        #expect(finder.fault == thrown, "\(shown)")
      } else {
        accepted += 1
        #expect(part == .root(root), "\(shown)")
        #expect(parser.nodeCount == whole.nodeCount, "\(shown)")
        let nodeBytes = whole.nodeCount * 16
        let (left, right) = (whole.tape(over: text).rawNodes, parser.tape(over: copy).rawNodes)
        let isSame = UnsafeRawBufferPointer(start: left, count: nodeBytes)
          .elementsEqual(UnsafeRawBufferPointer(start: right, count: nodeBytes))
        #expect(isSame, "\(shown)")
      }
      whole.reset()
      // One that is given up is forgotten.
      parser.reset()
      if number % 7 == 0 {
        parser.begin(copy, in: range)
        parser.prepare(&copy, in: range, depthLimit: depthLimit)
        _ = parser.parsePart(&copy, in: range, names: names, depthLimit: depthLimit, bytes: 1)
        parser.reset()
      }
    }
    #expect(accepted > 250)
    #expect(pauses > 10_000)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) throws {
    var numbers = SeededNumbers(state: seed)
    let parser = JSONParser()
    let names = JSONNames(["a", "b", "id", "title", "k"].map { Array($0.utf8) })
    var accepted = 0
    for _ in 0..<5000 {
      let bytes = Self.mutated(using: &numbers)
      let depthLimit = [1, 3, 5, 512].randomElement(using: &numbers)!
      let reference = JSONReference(bytes, depthLimit: depthLimit)
      let before = Self.pieces.randomElement(using: &numbers)!
      let behind = Self.pieces.randomElement(using: &numbers)!
      var text = ByteBuffer()
      text.append(before)
      text.append(bytes)
      text.append(behind)
      let range = before.count..<(before.count + bytes.count)

      let judged = JSONParser.firstFault(of: text, in: range, depthLimit: depthLimit)
      var thrown: JSONFault?
      var root: JSONTape.Index = 0
      do throws(JSONFault) {
        root = try parser.parse(&text, in: range, names: names, depthLimit: depthLimit)
      } catch {
        thrown = error
      }
      let shown = String(decoding: bytes, as: UTF8.self)
      #expect(thrown == judged, "\(shown)")
      #expect((thrown == nil) == (reference != nil), "\(shown)")
      if let thrown {
        #expect(range.contains(thrown.offset) || thrown.offset == range.upperBound, "\(shown)")
        #expect(text.bytes[range].elementsEqual(bytes), "\(shown)")
      } else {
        accepted += 1
        var output = ByteBuffer()
        parser.tape(over: text).appendJSON(root, to: &output)
        #expect(output.description == reference?.printed, "\(shown)")
      }
      #expect(text.bytes.prefix(before.count).elementsEqual(before))
      #expect(text.bytes.suffix(behind.count).elementsEqual(behind))
      parser.reset()
    }
    // Both outcomes must be common.
    #expect((500...4500).contains(accepted))
  }

  @Test func randomObjectsPrintAsTheReferencePrintsThem() throws {
    var numbers = SeededNumbers(state: 5)
    let names = (0..<70).map { "n\($0)" }
    for round in 0..<500 {
      let used = round % 2 == 0 ? names : Array(names.prefix(4))
      let text = JSONRepeatedNameTests.randomObject(used, depth: 4, using: &numbers)
      let parsed = try ParsedJSON(text, names: names)
      #expect(parsed.printed == JSONReference(Array(text.utf8), depthLimit: 512)?.printed)
    }
  }

  @Test("The first fault is where no valid text can begin so: what stands before it can be completed")
  func faultsAreTheFirst() throws {
    var numbers = SeededNumbers(state: 9)
    for _ in 0..<3000 {
      let bytes = Self.mutated(using: &numbers)
      guard let fault = Self.refusal(bytes), fault.reason != "a byte order mark, which JSON does not allow"
      else { continue }
      // Cut at the fault, the text is only incomplete (the first half of a surrogate pair is checked with the
      // second).
      if let cut = Self.refusal(Array(bytes.prefix(fault.offset))) {
        #expect(cut.reason == "unexpected end of input", "\(String(decoding: bytes, as: UTF8.self))")
        #expect(cut.offset == fault.offset)
      } else {
        // It was complete: a number or a document followed by more text.
        #expect(
          ["more text after the value", "a number has a leading zero", "invalid UTF-8"].contains(fault.reason)
        )
      }
    }
  }

  private static func refusal(_ bytes: [UInt8]) -> JSONFault? { fault(of: bytes) }
}
