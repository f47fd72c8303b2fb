/// What a request asked for, as far as metrics tell it apart.
package struct RequestSubject: Sendable, Equatable {
  var route: RouteLabel
  /// The place of its kind among the `KindLabels`; 0 where the route names none.
  var kind = 0

  /// Until its path is looked at.
  static let unrouted = RequestSubject(route: .unrouted)
}
