/// A strong entity tag (RFC 9110, section 8.8.3).
package struct EntityTag: Sendable, Equatable {
  /// Without the quotes.
  package let opaque: String

  /// `opaque` must be visible ASCII without `"`; anything else is a programmer error.
  package init(_ opaque: String) {
    precondition(opaque.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    self.opaque = opaque
  }

  /// The value of the `ETag` header.
  package var headerValue: String { "\"\(opaque)\"" }

  /// Whether `If-None-Match` lists this tag, so that GET and HEAD answer 304 (RFC 9110, section 13.1.2).
  ///
  /// Uses weak comparison: `W/` is ignored. A lone `*` matches any tag. Malformed elements match nothing.
  package func isNamed(inIfNoneMatch value: String) -> Bool {
    var scanner = HeaderScanner(value)
    scanner.skipSpace()
    if scanner.take(UInt8(ascii: "*")) {
      scanner.skipSpace()
      if scanner.isAtEnd { return true }
      scanner.skipElement()
      if !scanner.take(UInt8(ascii: ",")) { return false }
    }
    while true {
      scanner.skipSpace()
      if scanner.take(UInt8(ascii: "W")) && !scanner.take(UInt8(ascii: "/")) {
        scanner.skipElement()
      } else if let tag = scanner.opaqueTag() {
        scanner.skipSpace()
        let isComplete = scanner.isAtEnd || scanner.current == UInt8(ascii: ",")
        if isComplete && tag == opaque { return true }
      }
      scanner.skipElement()
      if !scanner.take(UInt8(ascii: ",")) { return false }
    }
  }
}
