/// Why a request was refused regardless of its cells: a value of the label `reason`.
///
/// A new case is counted and reported automatically; also list it in docs/metrics.md.
package enum RefusalReason: Int, CaseIterable, Sendable {
  /// The head is malformed or ambiguous: 400, 411.
  case guarded
  /// The head is too large: 431.
  case headTooLarge
  /// The announced length, the received bytes, or the memory to read them exceed a limit: 413.
  case bodyTooLarge
  /// The worker's limit of bytes in flight is reached, or an answer still holds an archive that three others have followed: 503.
  case memory
  /// The request waited too long for its turn: 503.
  case queue
  /// The worker is already making as many large answers as allowed: 503.
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
