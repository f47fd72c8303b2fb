/// Why a request was refused whatever its cells are: a value of the label `reason`.
///
/// A new case is counted and shown without more ado; docs/metrics.md lists it.
package enum RefusalReason: Int, CaseIterable, Sendable {
  /// Its head is malformed, or can be read in two ways: 400, 411.
  case guarded
  /// 431.
  case headTooLarge
  /// 413, of a length that is announced, of what has come, or of what reading it would take.
  case bodyTooLarge
  /// The worker's bytes in flight are used up: 503.
  case memory
  /// It waited too long for its turn: 503.
  case queue
  /// As many large answers as there may be are being made: 503.
  case inFlight

  var label: StaticString {
    switch self {
    case .guarded: "guard"
    case .headTooLarge: "head_too_large"
    case .bodyTooLarge: "body_too_large"
    case .memory: "memory"
    case .queue: "queue"
    case .inFlight: "in_flight"
    }
  }
}
