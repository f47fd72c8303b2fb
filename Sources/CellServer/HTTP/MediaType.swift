/// A media type or media range with its parameters (RFC 9110, sections 8.3.1 and 12.5.1), in lowercase.
struct MediaType: Equatable {
  struct Parameter: Equatable {
    var name: String
    var value: String
  }

  var type: String
  var subtype: String
  var parameters: [Parameter] = []

  /// Reads one up to the next `,` or the end. Returns nil if it is malformed, with the scanner at any
  /// position within it. Empty parameters (`a/b;;`) are skipped.
  init?(_ scanner: inout HeaderScanner) {
    scanner.skipSpace()
    guard let type = scanner.token(), scanner.take(UInt8(ascii: "/")), let subtype = scanner.token() else {
      return nil
    }
    self.type = type
    self.subtype = subtype
    scanner.skipSpace()
    while scanner.take(UInt8(ascii: ";")) {
      scanner.skipSpace()
      if scanner.current == UInt8(ascii: ";") || scanner.current == UInt8(ascii: ",") || scanner.isAtEnd {
        continue
      }
      guard let name = scanner.token(), scanner.take(UInt8(ascii: "=")),
        let value = scanner.token() ?? scanner.quotedString()
      else { return nil }
      parameters.append(Parameter(name: name, value: value))
      scanner.skipSpace()
    }
    guard scanner.isAtEnd || scanner.current == UInt8(ascii: ",") else { return nil }
  }

  /// Whether the value is a name of UTF-8; `utf8` is common in practice.
  static func isUTF8(charset value: String) -> Bool { value == "utf-8" || value == "utf8" }
}
