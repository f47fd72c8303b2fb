/// The route of a request, as an index into `RouteLabels`.
struct RouteLabel: Sendable, Equatable {
  let number: Int

  private init(number: Int) { self.number = number }

  /// Refused before the path was parsed: because of the head, or while the body arrived.
  static let unrouted = RouteLabel(number: 0)
  /// The path is unknown or malformed.
  static let other = RouteLabel(number: 1)

  /// The route at an index of the list passed to `RouteLabels`.
  init(position: Int) { number = position + 2 }
}
