/// A value of the label `route`: the routes as the contract writes them, never a path that a client sent.
enum RouteLabel: UInt8, CaseIterable, Sendable {
  // Those that name a kind come first: each has counters by kind.
  case cellsOf
  case kind
  case schema
  case cells
  case kinds
  case livez
  case readyz
  case metrics
  case openapi
  case asterisk
  /// A path that names nothing, or is malformed.
  case other
  /// Refused before the path was looked at: by the head, or while the body came.
  case unrouted

  /// How many name a kind.
  static let namingKinds = 3

  var namesKind: Bool { Int(rawValue) < Self.namingKinds }

  var label: StaticString {
    switch self {
    case .cellsOf: "/cells/{kind}"
    case .kind: "/kinds/{kind}"
    case .schema: "/schemas/{kind}"
    case .cells: "/cells"
    case .kinds: "/kinds"
    case .livez: "/livez"
    case .readyz: "/readyz"
    case .metrics: "/metrics"
    case .openapi: "/openapi.json"
    case .asterisk: "*"
    case .other: "other"
    case .unrouted: "none"
    }
  }
}

extension Route {
  var metricsLabel: RouteLabel {
    switch self {
    case .cellsOf: .cellsOf
    case .kind: .kind
    case .schema: .schema
    case .cells: .cells
    case .kinds: .kinds
    case .livez: .livez
    case .readyz: .readyz
    case .metrics: .metrics
    case .openapi: .openapi
    case .asterisk: .asterisk
    }
  }
}
