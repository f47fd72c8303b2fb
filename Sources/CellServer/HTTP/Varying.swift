/// The header fields of the request that an answer depends on.
package struct Varying: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let accept = Varying(rawValue: 1)
  static let acceptEncoding = Varying(rawValue: 2)
  static let origin = Varying(rawValue: 4)
  static let acceptLanguage = Varying(rawValue: 8)

  /// The `Vary` header; nil if the answer depends on no request header.
  var headerValue: StaticString? {
    switch rawValue {
    case 1: "Accept"
    case 2: "Accept-Encoding"
    case 3: "Accept, Accept-Encoding"
    case 4: "Origin"
    case 5: "Accept, Origin"
    case 6: "Accept-Encoding, Origin"
    case 7: "Accept, Accept-Encoding, Origin"
    case 8: "Accept-Language"
    case 9: "Accept, Accept-Language"
    case 10: "Accept-Encoding, Accept-Language"
    case 11: "Accept, Accept-Encoding, Accept-Language"
    case 12: "Accept-Language, Origin"
    case 13: "Accept, Accept-Language, Origin"
    case 14: "Accept-Encoding, Accept-Language, Origin"
    case 15: "Accept, Accept-Encoding, Accept-Language, Origin"
    default: nil
    }
  }
}
