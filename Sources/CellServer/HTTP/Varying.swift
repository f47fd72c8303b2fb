/// The header fields of the request that an answer depends on.
package struct Varying: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let accept = Varying(rawValue: 1)
  static let acceptEncoding = Varying(rawValue: 2)
  static let origin = Varying(rawValue: 4)

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
    default: nil
    }
  }
}
