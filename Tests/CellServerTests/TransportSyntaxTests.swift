@testable import CellServer
import Testing

/// The character classes of heads, checked eight bytes at a time, compared with a check of single bytes.
struct TransportSyntaxTests {
  static let classes: [(name: String, has: @Sendable (UnsafeRawBufferPointer) -> Bool, allowed: String)] = [
    ("token", HeaderSyntax.isToken, digits + letters + "!#$%&'*+-.^_`|~"),
    ("visible", HeaderSyntax.isVisible, visible),
  ]
  /// Allowed in names of hosts; `:` and `%` have a meaning.
  private static let hostCharacters = digits + letters + "-._~!$&'()*+;="
  private static let digits = "0123456789"
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  private static let visible = String(decoding: 0x21...0x7E, as: UTF8.self)

  /// Every byte at every position in texts of every length up to more than two words.
  @Test func everyByteIsCheckedAtEveryPosition() {
    for (name, has, allowed) in Self.classes { Self.check(name, has, Set(allowed.utf8)) }
    Self.check("field value", HeaderSyntax.isFieldValue, Set(0x20...0xFF).union([0x09]).subtracting([0x7F]))
  }

  @Test func aHostIsCheckedByteByByte() {
    let allowed = Set(Self.hostCharacters.utf8)
    for length in 1...18 {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          bytes[position] = byte
          // `%aa`
          let isWanted = allowed.contains(byte) || (byte == UInt8(ascii: "%") && position + 2 < length)
          #expect(bytes.withUnsafeBytes(HostSyntax.isHost) == isWanted, "\(bytes)")
        }
      }
    }
  }

  @Test(arguments: [
    ("", true), ("a", true), ("a:", true), ("a:80", true), ("a.example:65535", true), ("127.0.0.1:1", true),
    ("[::1]", true), ("[::1]:8080", true), ("[::ffff:1.2.3.4]:", true), ("a%2db", true), ("_x", true),
    ("localhost:8080", true), ("a:b", false), ("a:65536", false), ("a:80:80", false), ("a:8 ", false),
    (":80", false), (":", false), ("[::1", false), ("[]", false), ("[::1]80", false), ("[::1]:x", false),
    ("[::g]", false), ("[::1%25eth0]", false), ("[1.2.3.4]", false), ("::1", false), ("a]", false),
    ("<script>", false), ("a b", false), ("a,b", false), ("u@a", false), ("a/b", false), ("a%2", false),
    ("a%zz", false), ("a\"b", false), ("a|b", false), ("a{b}", false), ("a\u{E9}", false),
    ("[" + String(repeating: "1", count: 5000) + "]", false),
    ("a:" + String(repeating: "9", count: 5000), false),
  ]) func hosts(text: String, isHost: Bool) {
    #expect(Array(text.utf8).withUnsafeBytes(HostSyntax.isHost) == isHost)
  }

  private static func check(_ name: String, _ has: (UnsafeRawBufferPointer) -> Bool, _ allowed: Set<UInt8>) {
    for length in 1...18 {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max {
          for filler in [UInt8(ascii: "a"), UInt8(ascii: "-"), UInt8(ascii: "!")] {
            var bytes = [UInt8](repeating: filler, count: length)
            bytes[position] = byte
            let isWanted = allowed.contains(byte)
            if bytes.withUnsafeBytes(has) != isWanted {
              Issue.record("\(name): \(bytes) is \(isWanted ? "one" : "none")")
            }
          }
        }
      }
    }
  }

  @Test(arguments: [0, 7, 8, 15, 16]) func bytesAfterTheEndDoNotCount(count: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count) + [0]
    bytes.withUnsafeBytes { bytes in
      #expect(HeaderSyntax.isVisible(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
      #expect(!HeaderSyntax.isVisible(bytes))
    }
  }

  /// Names are matched ignoring the case of letters; every other byte matches only itself.
  @Test func aNameIsMatchedByteForByte() {
    let names: [(text: StaticString, field: RequestField)] = [
      ("host", .host), ("accept", .accept), ("origin", .origin), ("traceparent", .traceParent),
      ("content-type", .contentType), ("x-request-id", .requestID), ("if-none-match", .ifNoneMatch),
      ("content-length", .contentLength), ("accept-encoding", .acceptEncoding),
      ("content-encoding", .contentEncoding), ("transfer-encoding", .transferEncoding),
      ("access-control-request-method", .requestMethod),
    ]
    for (text, field) in names {
      let name = Array(text.description.utf8)
      for position in name.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = name
          changed[position] = byte
          let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(name[position])
          let isSame = byte == name[position] || isLetter && byte == name[position] & ~0x20
          let found = changed.withUnsafeBytes { RequestField($0) }
          if found != (isSame ? field : nil) { Issue.record("\(changed) is \(String(describing: found))") }
        }
      }
      let found = (name + [0]).withUnsafeBytes { RequestField($0) }
      #expect(found?.isWhole != true)
    }
  }

  @Test(arguments: [
    ("content-length-x", RequestField.likeContentLength), ("CONTENT-LENGTHS", .likeContentLength),
    ("transfer-encoding2", .likeTransferEncoding),
    ("Transfer-Encoding content-length", .likeTransferEncoding),
  ]) func whatGoesOnBehindAFramingNameIsTold(name: String, field: RequestField) {
    #expect(Array(name.utf8).withUnsafeBytes { RequestField($0) } == field)
  }
}
