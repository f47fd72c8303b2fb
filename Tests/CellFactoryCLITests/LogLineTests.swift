import Foundation
import Logging
import Testing

@testable import CellFactoryCLI

/// Every message is one log line, and in JSON an object.
@Suite struct LogLineTests {
  /// Texts that would break a line, a field or a terminal if written unescaped.
  static let texts: [String] = [
    "", "plain", "two words", "a=b", "\"", "\\", "\\n", "back\\slash\"quote", "line\nfeed",
    "\r\n2026-01-01 forged",
    "\u{0}", "\u{1B}[2J", "\u{7F}", "\u{85}\u{9B}31m", "\u{2028}\u{2029}", "\u{202E}gnp.exe",
    "\u{2066}\u{FEFF}",
    "é ü 日本 🎈", "e\u{301}", "\u{10FFFF}", "tab\there", "{\"json\":true}", String(repeating: "x", count: 5000),
    String(repeating: "日", count: 3000), String(repeating: "\n", count: 5000),
  ]

  private static func line(_ format: LogFormat, _ message: String, _ fields: [(String, Logger.MetadataValue)])
    -> String
  {
    var line = LogLine(format, LogTime(milliseconds: 0), .warning, message, into: [UInt8]())
    for (name, value) in fields { line.field(name, value) }
    return String(decoding: line.end(), as: UTF8.self)
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  private static func cut(_ text: String) -> String {
    var left = 4096
    let scalars = text.unicodeScalars.prefix { scalar in
      left -= UTF8.width(scalar)
      return left >= 0
    }
    return scalars.count == text.unicodeScalars.count ? text : String(String.UnicodeScalarView(scalars)) + "…"
  }

  @Test func anyTextIsOneMemberOfAJSONLine() throws {
    for text in Self.texts {
      let line = Self.line(.json, text, [("field", .string(text)), (text, "name")])
      #expect(line.hasSuffix("}\n") && line.utf8.count { $0 < 0x20 || $0 == 0x7F } == 1, "\(line)")
      let object = try Self.object(line)
      #expect(object["message"] as? String == Self.cut(text))
      #expect(object["field"] as? String == Self.cut(text))
      #expect(object[Self.cut(text)] as? String == "name")
      #expect(object["level"] as? String == "warning")
      #expect(object["time"] as? String == "1970-01-01T00:00:00.000Z")
    }
  }

  @Test func anyTextIsOneFieldOfATextLine() {
    for text in Self.texts {
      let line = Self.line(.text, text, [("field", .string(text)), ("next", "1")])
      #expect(line.hasPrefix("1970-01-01T00:00:00.000Z warning "))
      #expect(line.hasSuffix(" next=1\n"))
      for scalar in line.unicodeScalars.dropLast() {
        #expect(
          scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl,
          "\(line.debugDescription)")
        #expect(scalar != "\u{2028}" && scalar != "\u{2029}")
      }
    }
  }

  static let words: [(text: String, written: String)] = [
    ("plain", "plain"), ("/a%0Ab", "/a%0Ab"), ("", "\"\""), ("two words", "\"two words\""),
    ("a=b", "\"a=b\""),
    ("\"", #""\"""#), ("a\\b", #""a\\b""#), ("a\nb", #""a\nb""#), ("\u{1B}", #""\u001b""#), ("é", "\"é\""),
  ]

  @Test func aTextFieldIsQuotedIfNecessary() {
    for row in Self.words {
      #expect(
        Self.line(.text, "m", [("f", .string(row.text))])
          == "1970-01-01T00:00:00.000Z warning m f=\(row.written)\n")
    }
  }

  @Test func numbersListsAndObjectsKeepTheirForm() throws {
    let fields: [(String, Logger.MetadataValue)] = [
      ("count", .stringConvertible(42)), ("least", .stringConvertible(Int.min)),
      ("zero", .stringConvertible(0)),
      ("ratio", .stringConvertible(0.5)), ("none", .stringConvertible(Double.nan)),
      ("is", .stringConvertible(true)),
      ("list", .array(["a", .stringConvertible(1)])), ("object", .dictionary(["b": "\n", "a": .array([])])),
      ("time", "now"), ("message", "x"), ("level", "y"),
    ]
    let line = Self.line(.json, "m", fields)
    #expect(
      line == """
        {"time":"1970-01-01T00:00:00.000Z","level":"warning","message":"m","count":42,"least":-9223372036854775808,\
        "zero":0,"ratio":0.5,"none":"nan","is":true,"list":["a",1],"object":{"a":[],"b":"\\n"},\
        "time_":"now","message_":"x","level_":"y"}\n
        """)
    _ = try Self.object(line)
  }

  static let times: [(milliseconds: Int, text: String)] = [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
    (1_709_164_800_001, "2024-02-29T00:00:00.001Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (4_107_456_000_000, "2100-02-28T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ]

  @Test func timesAreThoseOfTheCalendar() {
    var cases = Self.times
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    for day in stride(from: 0, to: 60_000, by: 17) {
      let seconds = day * 86_400 + day % 86_400
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      cases.append((seconds * 1000 + 7, text.dropLast() + ".007Z"))
    }
    for row in cases {
      var bytes: [UInt8] = []
      LogTime(milliseconds: row.milliseconds).append(to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == row.text)
    }
  }
}
