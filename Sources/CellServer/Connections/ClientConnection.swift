import Cells

/// One connection of a worker, from its acceptance to its close: its state, and the exchange that is going on.
///
/// Confined to the worker's thread. libmicrohttpd holds one reference to it, the worker's lists others.
///
/// Its variables are unchecked for overlapping accesses, which would cost a request more than its parsing
/// does: each is touched by the callbacks of its own connection only, and these do not nest.
final class ClientConnection {
  /// Open as long as `isOpen`.
  let descriptor: Int32
  /// The library's. Valid as long as `isOpen`.
  let handle: OpaquePointer
  /// Until its close, when the worker's list lets go of it; what is watched may be kept a little longer.
  var isOpen = true
  @exclusivity(unchecked) var exchange: Exchange
  /// `Worker.move` alone changes its case.
  @exclusivity(unchecked) var state: ConnectionState
  /// Its place in the worker's list.
  var place = 0
  /// When the request's line could be read, in nanoseconds.
  @exclusivity(unchecked) var begunAt = 0
  /// What its answer is being sent by, if that is kept for others; its body is counted in the worker's budget.
  @exclusivity(unchecked) var response: PreparedResponse?
  /// Refused before its body came: what the client still sends must be taken, or it may not see the answer.
  var needsLinger = false
  /// Whether the last sweep found that the client has ended; a new request or a piece of a body says
  /// otherwise.
  @exclusivity(unchecked) var wasFoundEnded = false
  /// Whether the sweeps look at it, each of them.
  @exclusivity(unchecked) var isWatched = false

  init(descriptor: Int32, handle: OpaquePointer, exchange: consuming Exchange, state: ConnectionState) {
    self.descriptor = descriptor
    self.handle = handle
    self.exchange = exchange
    self.state = state
  }

  /// Whether its answer went past the library, which takes the request for one that failed.
  var isRefusedDirectly: Bool { if case .draining = state { true } else { false } }

  /// Whether there is nothing on it that a stop would have to wait for.
  var isWaiting: Bool { exchange.phase == .waiting }
}
