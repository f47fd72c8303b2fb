/// The values of the label `route`: the routes as written in the API description, never a path sent by a
/// client.
struct RouteLabels: Sendable {
  /// A route with a label of its own.
  struct Route: Sendable {
    var label: StaticString
    /// Whether the path contains a kind, so that requests are counted for each kind.
    var namesKind: Bool
  }

  private let routes: [Route]

  init(_ routes: [Route]) {
    self.routes = [Route(label: "none", namesKind: false), Route(label: "other", namesKind: false)] + routes
  }

  var count: Int { routes.count }

  subscript(label: RouteLabel) -> Route { routes[label.number] }

  /// In the order of a scrape: routes with a kind, other routes, then requests without a route.
  var all: [RouteLabel] {
    let listed = (0..<(count - 2)).map { RouteLabel(position: $0) }
    return listed.filter { self[$0].namesKind } + listed.filter { !self[$0].namesKind } + [.other, .unrouted]
  }

  /// The index of each route's first counter, and the number of all counters. A route with a kind has `kinds`
  /// counters, any other route has one.
  func layout(kinds: Int) -> (starts: [Int], count: Int) {
    var (starts, count) = ([Int](), 0)
    for route in routes {
      starts.append(count)
      count += route.namesKind ? kinds : 1
    }
    return (starts, count)
  }
}
