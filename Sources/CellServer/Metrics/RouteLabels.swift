/// The values of the label `route`: the routes as the contract writes them, never a path that a client sent.
struct RouteLabels: Sendable {
  /// A route that is told apart.
  struct Route: Sendable {
    var label: StaticString
    /// It has counters by kind.
    var namesKind: Bool
  }

  private let routes: [Route]

  init(_ routes: [Route]) {
    self.routes = [Route(label: "none", namesKind: false), Route(label: "other", namesKind: false)] + routes
  }

  var count: Int { routes.count }

  subscript(label: RouteLabel) -> Route { routes[label.number] }

  /// In the order of a scrape: those that name a kind, the others, and last what took no route.
  var all: [RouteLabel] {
    let listed = (0..<(count - 2)).map { RouteLabel(place: $0) }
    return listed.filter { self[$0].namesKind } + listed.filter { !self[$0].namesKind } + [.other, .unrouted]
  }

  /// Where the counters of each route begin in a row of counters, and how many there are, if each that names a kind has
  /// `kinds` of them.
  func layout(kinds: Int) -> (starts: [Int], count: Int) {
    var (starts, count) = ([Int](), 0)
    for route in routes {
      starts.append(count)
      count += route.namesKind ? kinds : 1
    }
    return (starts, count)
  }
}
