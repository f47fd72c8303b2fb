/// The route and kind of a request, as metrics distinguish them.
package struct RequestSubject: Sendable, Equatable {
  var route: RouteLabel
  /// The index of its kind in `KindLabels`; 0 if the route has no kind.
  var kind = 0

  /// The subject of a request before its path is parsed.
  static let unrouted = RequestSubject(route: .unrouted)
}
