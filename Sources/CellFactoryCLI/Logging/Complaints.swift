import CellServer
import Logging
import Synchronization

/// Rate-limits warnings that requests can cause: of each kind, one is logged in an interval, and the others
/// are counted.
///
/// The count is part of the next line of that kind, or of a separate line if none follows.
final class Complaints: Sendable {
  /// The kind of a complaint: its message and a number given by its source.
  private struct Kind: Hashable {
    var message: String
    var number: Int
  }

  private struct State {
    var next: ContinuousClock.Instant
    var suppressed = 0
  }

  /// Further kinds share one.
  private static let kindLimit = 64

  private let logger: Logger
  private let queue: ThreadQueue
  private let interval: Duration
  private let states = Mutex<[Kind: State]>([:])

  /// - Parameter queue: where delayed counts are logged.
  init(to logger: Logger, on queue: ThreadQueue, every interval: Duration = .seconds(1)) {
    self.logger = logger
    self.queue = queue
    self.interval = interval
  }

  /// - Parameters:
  ///   - number: distinguishes complaints with the same message.
  ///   - metadata: called only if the complaint is logged.
  func report(_ message: String, number: Int = 0, metadata: () -> Logger.Metadata = { [:] }) {
    enum Outcome {
      case logged(suppressed: Int)
      case firstSuppressed(Kind)
      case suppressed
    }
    let now = ContinuousClock.now
    let outcome = states.withLock { states -> Outcome in
      var kind = Kind(message: message, number: number)
      if states[kind] == nil, states.count >= Self.kindLimit {
        kind = Kind(message: "other complaints", number: 0)
      }
      if var state = states[kind], now < state.next {
        state.suppressed += 1
        states[kind] = state
        return state.suppressed == 1 ? .firstSuppressed(kind) : .suppressed
      }
      let suppressed = states[kind]?.suppressed ?? 0
      states[kind] = State(next: now + interval)
      return .logged(suppressed: suppressed)
    }
    switch outcome {
    case .logged(let suppressed):
      var metadata = metadata()
      if suppressed > 0 { metadata["suppressed"] = .stringConvertible(suppressed) }
      logger.warning("\(message)", metadata: metadata)
    case .firstSuppressed(let kind):
      let seconds = Double(interval.components.seconds) + Double(interval.components.attoseconds) * 1e-18
      queue.run(afterSeconds: seconds) { [self] in tell(of: kind) }
    case .suppressed: break
    }
  }

  /// Logs how many complaints were suppressed, unless a line has reported it since.
  private func tell(of kind: Kind) {
    let suppressed = states.withLock { states in
      guard let suppressed = states[kind]?.suppressed, suppressed > 0 else { return 0 }
      states[kind] = State(next: .now + interval)
      return suppressed
    }
    guard suppressed > 0 else { return }
    logger.warning(
      "\(kind.message), and more like it", metadata: ["suppressed": .stringConvertible(suppressed)])
  }
}
