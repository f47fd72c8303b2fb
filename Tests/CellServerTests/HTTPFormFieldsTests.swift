import Cells
import Testing

@testable import CellServer

@Suite struct HTTPFormFieldsTests {
  private func json(_ text: String, depthLimit: Int = 512, fieldLimit: Int = .max) -> Result<String, Problem>
  {
    var copy = text
    return copy.withUTF8 { bytes in
      do throws(Problem) {
        return .success(
          try FormFields.json(
            of: UnsafeRawBufferPointer(bytes), depthLimit: depthLimit, fieldLimit: fieldLimit
          ).description)
      } catch {
        return .failure(error)
      }
    }
  }

  private func code(_ text: String, depthLimit: Int = 512) -> Problem.Code? {
    if case .failure(let problem) = json(text, depthLimit: depthLimit) { problem.code } else { nil }
  }

  @Test(arguments: [
    ("", "{}"),
    ("&", "{}"),
    ("&&&", "{}"),
    ("title=Hi", #"{"title":"Hi"}"#),
    ("title=Hi&author.name=Ada", #"{"title":"Hi","author":{"name":"Ada"}}"#),
    ("a=1&&b=2&", #"{"a":"1","b":"2"}"#),
    ("a", #"{"a":""}"#),
    ("a=", #"{"a":""}"#),
    ("a==b=c", #"{"a":"=b=c"}"#),
    ("a=1.5", #"{"a":"1.5"}"#),
    ("n=1&t=true&z=null", #"{"n":"1","t":"true","z":"null"}"#),
    ("a=1+2&b=1%2B2", #"{"a":"1 2","b":"1+2"}"#),
    ("first+name=x", #"{"first name":"x"}"#),
    ("+=x", #"{" ":"x"}"#),
    ("a=1&a=2", #"{"a":["1","2"]}"#),
    ("a=1&b=x&a=2&a=3", #"{"a":["1","2","3"],"b":"x"}"#),
    ("a&a", #"{"a":["",""]}"#),
    ("%61=1&a=2", #"{"a":["1","2"]}"#),
    ("a.b=1&a.b=2", #"{"a":{"b":["1","2"]}}"#),
    ("a.b=1&c=2&a.d=3", #"{"a":{"b":"1","d":"3"},"c":"2"}"#),
    ("a.b.c=1&a.b.d=2&a.e=3", #"{"a":{"b":{"c":"1","d":"2"},"e":"3"}}"#),
    ("b.a=1&a.b=2&b.b=3&a.a=4", #"{"b":{"a":"1","b":"3"},"a":{"b":"2","a":"4"}}"#),
    ("a%2Eb=1", #"{"a.b":"1"}"#),
    ("a%2Eb.c=1", #"{"a.b":{"c":"1"}}"#),
    ("tags.0=x&tags.1=y", #"{"tags":{"0":"x","1":"y"}}"#),
    ("a%3Db%26=1%26%3D2", #"{"a=b&":"1&=2"}"#),
    ("a%00=%00", "{\"a\\u0000\":\"\\u0000\"}"),
    ("%00.%00=x", "{\"\\u0000\":{\"\\u0000\":\"x\"}}"),
    (#"a"\=%22%5C"#, #"{"a\"\\":"\"\\"}"#),
    ("a=%08%09%0A%0C%0D%1F%7F/", "{\"a\":\"\\b\\t\\n\\f\\r\\u001f\u{7F}/\"}"),
    ("a=1\r\n", #"{"a":"1\r\n"}"#),
    ("n%C3%A9=%E2%82%AC&né=😀", #"{"né":["€","😀"]}"#),
    ("e%CC%81=1&%C3%A9=2", "{\"e\u{301}\":\"1\",\"é\":\"2\"}"),
    ("a=1;b=2", #"{"a":"1;b=2"}"#),
    ("a:=1&a:=[2]&b.c%3A=null", #"{"a":[1,[2]],"b":{"c":null}}"#),
    ("format=json&fields=x", #"{"format":"json","fields":"x"}"#),
  ])
  func becomeAnObjectOfStrings(_ text: String, _ expected: String) {
    #expect(json(text) == .success(expected))
  }

  @Test(arguments: [
    "=", "=x", "a=1&=2", ".", ".=x", "a.=1", ".a=1", "a..b=1", "a.b.=1", "..", "a...b",
  ])
  func refuseAnEmptyName(_ text: String) {
    #expect(code(text) == .badRequest)
  }

  @Test(arguments: [
    "a=1&a.b=2", "a.b=2&a=1", "a.b.c=1&a.b=2", "a.b=1&a.b.c=2", "a&a.b", "a=1&%61.b=2", "a=1&a=2&a.b=3",
  ])
  func refuseAStringThatIsAnObject(_ text: String) {
    #expect(code(text) == .badRequest)
  }

  @Test(arguments: [
    "%", "a=%", "a=%4", "a=%zz", "%zz=1", "a%=1", "a.%g0=1", "a=%%", "a=%+1", "a=%&41=", "a%=41", "a%.41=1",
    "a=%FF", "%FF=1", "a=%C0%AF", "a=%ED%A0%80", "a=%C3&b=%A9", "%C3.%A9=1", "%C3=%A9", "a=%F5%80%80%80",
    "a=1&b=%C3",
  ])
  func refuseBadEscapesAndWhatIsNotUTF8(_ text: String) {
    #expect(code(text) == .badRequest)
  }

  @Test func refuseRawBytesThatAreNotUTF8() {
    for bytes: [UInt8] in [[0x61, 0x3D, 0xFF], [0xC3, 0x3D, 0xA9], [0x61, 0x3D, 0xED, 0xA0, 0x80]] {
      bytes.withUnsafeBytes { raw -> Void in
        #expect(throws: Problem.self) {
          _ = try FormFields.json(of: raw, depthLimit: 512, fieldLimit: 10).count
        }
      }
    }
  }

  @Test(arguments: [
    ("a=1&b..c=2&d=%", #"the field name "b..c" has an empty part; write %2E for a dot"#),
    ("a=1&=2", "a field without a name"),
    ("a[]=1", #"the field name "a[]" has brackets; repeat the name for each value of a list"#),
    ("a%5B12%5D=1", #"the field name "a%5B12%5D" has brackets; repeat the name for each value of a list"#),
    ("x.a[b]=1", #"the field name "x.a[b]" has brackets; write dots: author.name=Ada"#),
    ("x.y=1&x=2", #"the field "x" makes one name both a value and an object of other fields"#),
    (
      "x=%4",
      #"the value of the field "x" has a % that is not followed by two hexadecimal digits; write %25 for %"#
    ),
    ("%FF=", #"the field name "%FF" is not UTF-8 once percent-decoded"#),
  ])
  func nameTheFirstFault(_ text: String, _ detail: String) {
    #expect(json(text) == .failure(Problem(.badRequest, detail: detail)))
  }

  @Test(
    arguments: [
      ("a=1", 1, nil), ("a.b=1", 1, .tooDeep), ("a=1&a=2", 1, .tooDeep), ("a.b=1", 2, nil),
      ("a.b=1&a.b=2", 2, .tooDeep), ("a.b=1&a.b=2", 3, nil), ("a.b.c=1", 2, .tooDeep),
      ("a=1&a.b.c=1", 1, .badRequest), ("", 1, nil),
    ] as [(String, Int, Problem.Code?)])
  func areBoundedInDepth(_ text: String, _ depthLimit: Int, _ expected: Problem.Code?) {
    #expect(code(text, depthLimit: depthLimit) == expected)
  }

  @Test func takeTheDepthLimitAndNotOneMore() {
    let deep = Array(repeating: "a", count: 512).joined(separator: ".")
    #expect(code(deep + "=1") == nil)
    #expect(code(deep + "=1&" + deep + "=2") == .tooDeep)
    #expect(code(deep + ".a=1") == .tooDeep)
  }

  @Test func areBoundedInNumber() {
    #expect(json("a&&b=&&&c=1&", fieldLimit: 3) == .success(#"{"a":"","b":"","c":"1"}"#))
    let escaped = Array("a=\u{1}\u{1}\u{1}".utf8)
    let size = FormSize(of: escaped.span)
    #expect(throws: Never.self) { try FormFields.check(size, fieldLimit: 3, jsonLimitBytes: size.jsonBytes) }
    #expect(throws: Problem.self) {
      try FormFields.check(size, fieldLimit: 3, jsonLimitBytes: size.jsonBytes - 1)
    }
    guard case .failure(let problem) = json("a&b=&c=1&d", fieldLimit: 3) else {
      Issue.record("four fields")
      return
    }
    #expect(problem.code == .bodyTooLarge && problem.detail.contains("--fields"))
    #expect(code(String(repeating: "n", count: 70_000)) == .bodyTooLarge)
  }

  /// Each part of a name takes time and memory. Too many are refused before any is added.
  @Test func areBoundedInTheirNames() throws {
    let deep = (0..<3).map { "a\($0)" + String(repeating: ".b", count: 15) }
    guard case .success = json(deep.joined(separator: "&"), fieldLimit: 3) else {
      Issue.record("16 names for each field")
      return
    }
    let text = Array("\(deep[0])&\(deep[1])&\(deep[2]).b".utf8)
    let reader = FormReader(depthLimit: 512, fieldLimit: 3)
    var slice = Slice(microseconds: .max, since: 0, outputBytes: 0)
    let problem = #expect(throws: Problem.self) { _ = try reader.measure(text.span, &slice) }
    #expect(problem?.code == .bodyTooLarge && problem?.detail.contains("--fields") == true)
    #expect(problem?.detail.contains("48 parts") == true)
  }

  @Test(arguments: [10, 100, 500]) func longNamesAreReadInSlices(depth: Int) throws {
    let name = String(repeating: "a.", count: depth - 1)
    let text = Array((0..<20_000 / depth).map { name + "b\($0)" }.joined(separator: "&").utf8)
    let reader = FormReader(depthLimit: 512, fieldLimit: 10_000)
    var now = Slice(microseconds: .max, since: 0, outputBytes: 0)
    #expect(try reader.measure(text.span, &now))
    var slices = 0
    repeat {
      now = Slice(microseconds: 0, since: 0, outputBytes: 0)
      slices += 1
    } while try reader.read(text.span, &now) == nil
    // The bytes alone give one slice.
    #expect(slices >= 20_000 / (FormReader.pieceNames + depth))
  }

  /// The fields are the same no matter how the body is divided or when the clock is checked.
  @Test(arguments: [
    "é", "%C3%A9", "€", "%E2%82%AC", "😀", "%F0%9F%98%80", "+", "%2B", "\"", "a\u{1}", "x%00y",
  ])
  func areReadInSlices(_ unit: String) throws {
    for shift in 0..<4 {
      let value =
        String(repeating: "x", count: shift) + String(repeating: unit, count: 140_000 / unit.utf8.count)
      let text = Array("a.b=\(value)&c=1&a.d=\(value)&c=2".utf8)
      let whole = try text.withUnsafeBytes { bytes in
        try FormFields.json(of: bytes, depthLimit: 512, fieldLimit: 4).description
      }
      let reader = FormReader(depthLimit: 512, fieldLimit: 4)
      func slice() -> Slice { Slice(microseconds: 0, since: 0, outputBytes: 0) }
      var slices = 1
      var now = slice()
      while try !reader.measure(text.span, &now) { (now, slices) = (slice(), slices + 1) }
      var read: String?
      while read == nil {
        now = slice()
        slices += 1
        if let json = try reader.read(text.span, &now) { read = json.description }
      }
      let isSame = read == whole
      #expect(isSame)
      #expect(slices > text.count / FormReader.pieceBytes)
    }
  }

  @Test(arguments: ["%C3", "%F0%9F%98", "%FF", "%zz", "%4"])
  func errorsInLongValuesAreFound(_ end: String) {
    for shift in 0..<4 {
      let value = String(repeating: "é", count: 40_000) + String(repeating: "x", count: shift)
      #expect(code("a=" + value + end) == .badRequest)
      #expect(code("a=" + value + end + value) == .badRequest)
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: Hostile.allCases)
  func takeLinearTime(_ hostile: Hostile) {
    let text = hostile.text(bytes: 1 << 20)
    var copy = text
    let estimate = copy.withUTF8 { FormFields.estimatedBytes(of: UnsafeRawBufferPointer($0)) }
    switch json(text, depthLimit: hostile == .deepDots ? 10_000_000 : 512) {
    case .success(let json): #expect(json.utf8.count <= estimate)
    case .failure(let problem): Issue.record("\(problem.detail)")
    }
  }

  enum Hostile: CaseIterable {
    case repeatedName, distinctNames, deepDots, emptyPairs, equalsSigns, longName, escapes, controlBytes, fan

    func text(bytes: Int) -> String {
      switch self {
      case .repeatedName: String(repeating: "a&", count: bytes / 2)
      case .distinctNames: (0..<bytes / 8).map { String($0, radix: 36) }.joined(separator: "&")
      case .deepDots:
        (0..<bytes / 60_000).map { "\($0)." + String(repeating: "a.", count: 29_000) + "a" }.joined(
          separator: "&")
      case .emptyPairs: String(repeating: "&", count: bytes)
      case .equalsSigns: "a" + String(repeating: "=", count: bytes)
      case .longName:
        String(repeating: String(repeating: "n", count: 60_000) + "&", count: bytes / 60_000)
      case .escapes: "a=" + String(repeating: "%00", count: bytes / 3)
      case .controlBytes: "a=" + String(repeating: "\u{1}", count: bytes)
      case .fan: (0..<bytes / 16).map { "a\($0 % 100).b\($0 % 50).c=\($0)" }.joined(separator: "&")
      }
    }
  }
}
