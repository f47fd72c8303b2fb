/// What negotiation asks of a form that answers have.
package protocol NegotiableFormat: Equatable {
  /// Its name in `?format=`.
  var name: String { get }
  /// Both parts of its media type, as `Accept` names them.
  var type: String { get }
  var subtype: String { get }
}

extension NegotiableFormat {
  package var mediaType: String { "\(type)/\(subtype)" }
}
