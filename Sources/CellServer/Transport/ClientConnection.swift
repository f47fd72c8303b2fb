import Cells

/// One connection of a worker, from its acceptance to its close: the exchange that is going on, and its deadline.
///
/// Confined to the worker's thread. libmicrohttpd holds the one reference that keeps it alive; the worker's list
/// refers to it as well.
final class ClientConnection {
  /// No deadline but the library's own for inactivity.
  static let never = Int.max

  /// Open as long as this object is in its worker's list.
  let descriptor: Int32
  var exchange: Exchange
  /// When the connection is cut, in milliseconds of `MonotonicClock`.
  var deadline: Int
  /// Its place in the worker's list.
  var place = 0
  /// Whether a request has been begun on it before.
  var isReused = false
  /// When the request's line came, in microseconds; 0 if nobody wants to know.
  var begunAt = 0
  /// Refused before its body came: what the client still sends must be taken, or it may not see the answer.
  var needsLinger = false

  init(descriptor: Int32, exchange: consuming Exchange, deadline: Int) {
    self.descriptor = descriptor
    self.exchange = exchange
    self.deadline = deadline
  }

  /// Whether there is nothing on it that a stop would have to wait for.
  var isWaiting: Bool { exchange.phase == .waiting }
}
