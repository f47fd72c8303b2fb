/// A media type or media range with its parameters (RFC 9110, sections 8.3.1 and 12.5.1), all in small
/// letters.
struct MediaType: Equatable {
  struct Parameter: Equatable {
    var name: String
    var value: String
  }

  var type: String
  var subtype: String
  var parameters: [Parameter] = []

  /// Reads one up to the `,` that ends it or to the end; nil if it is malformed, the scanner anywhere in it.
  /// Empty parameters (`a/b;;`) are passed over.
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

  /// The value names UTF-8, as `charset` does in the wild.
  static func isUTF8(charset value: String) -> Bool { value == "utf-8" || value == "utf8" }
}
