/// A format that content negotiation can choose.
package protocol NegotiableFormat: Equatable {
  /// The name used in `?format=`.
  var name: String { get }
  /// The two parts of the media type, as in `Accept`.
  var type: String { get }
  var subtype: String { get }
}

extension NegotiableFormat {
  package var mediaType: String { "\(type)/\(subtype)" }
}
