/// What a request is for: its route and kind, as metrics distinguish them.
package struct RequestSubject: Sendable, Equatable {
  var route: RouteLabel
  /// The index of its kind in `KindLabels`; 0 if the route has no kind.
  var kind = 0
  /// Whether it asks for the server's health.
  var isProbe = false

  /// The subject of a request before its path is parsed.
  static let unrouted = RequestSubject(route: .unrouted)
}
