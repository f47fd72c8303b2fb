/// Which route a request takes: a place among `RouteLabels`.
struct RouteLabel: Sendable, Equatable {
  let number: Int

  private init(number: Int) { self.number = number }

  /// Refused before the path was looked at: by the head, or while the body came.
  static let unrouted = RouteLabel(number: 0)
  /// A path that names nothing, or is malformed.
  static let other = RouteLabel(number: 1)

  /// The route at a place of the list that `RouteLabels` was made of.
  init(place: Int) { number = place + 2 }
}
