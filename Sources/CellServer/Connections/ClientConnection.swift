import Cells

/// One connection of a worker, from accept to close: its state and its current exchange.
///
/// Confined to the worker's thread. libmicrohttpd holds one reference, the worker's lists hold others.
///
/// Exclusivity checks are off for its variables, because they would cost a request more than its parsing.
/// Only the callbacks of this connection access them, and these do not nest.
final class ClientConnection {
  /// Open while `isOpen`.
  let descriptor: Int32
  /// libmicrohttpd's connection; valid while `isOpen`.
  let handle: OpaquePointer
  /// False from the close on, when the worker's list drops it. The watch list may keep it slightly longer.
  var isOpen = true
  @exclusivity(unchecked) var exchange: Exchange
  /// Only `Worker.move` changes its case.
  @exclusivity(unchecked) var state: ConnectionState
  /// The place of its request, and that of its work, in the waiting lines of `TurnShares`.
  @exclusivity(unchecked) var requestPlace = WaitingLine.Place()
  @exclusivity(unchecked) var workPlace = WaitingLine.Place()
  /// Its index in the worker's list.
  var position = 0
  /// When the request line could be read, in nanoseconds.
  @exclusivity(unchecked) var begunAt = 0
  /// The time of the turn in which the request line was read, in milliseconds.
  @exclusivity(unchecked) var begunTurn = 0
  /// The reusable response that sends the answer, if any. The worker's budget counts its body.
  @exclusivity(unchecked) var response: PreparedResponse?
  /// Whether the request was refused before its body arrived. The rest of the body must be read, or the
  /// client may not see the answer.
  var needsLinger = false
  /// Whether the last sweep found that the client has closed its side. A new request or a piece of a body
  /// resets it.
  @exclusivity(unchecked) var wasFoundEnded = false
  /// Whether the server has shut the socket down and libmicrohttpd has not closed the connection yet.
  var isClosing = false
  /// Whether the current answer is an event stream, which does not count as a request in flight.
  @exclusivity(unchecked) var isEventStream = false
  /// Whether libmicrohttpd leaves the connection alone: an event stream without an event.
  @exclusivity(unchecked) var isSuspended = false
  /// When a suspended event stream was resumed last, in milliseconds.
  var resumedAt = 0
  /// Whether libmicrohttpd leaves the connection alone until `HeldBodies` resumes it.
  @exclusivity(unchecked) var isHeld = false
  /// Since when, in milliseconds.
  var heldSince = 0
  /// How many pieces of its body are received in any case, in the turn that has resumed it.
  @exclusivity(unchecked) var piecesLeft = 0
  /// How many archives the worker had adopted when it began to answer the request.
  @exclusivity(unchecked) var adoptions = 0
  /// Whether every sweep looks at the connection.
  @exclusivity(unchecked) var isWatched = false

  init(descriptor: Int32, handle: OpaquePointer, exchange: consuming Exchange, state: ConnectionState) {
    self.descriptor = descriptor
    self.handle = handle
    self.exchange = exchange
    self.state = state
  }

  /// Whether the answer was sent past libmicrohttpd, which considers the request failed.
  var isRefusedDirectly: Bool { if case .draining = state { true } else { false } }

  /// How many archives before the current one answers may still be made and sent of.
  private static let oldArchives = 2

  /// How long an answer is made however many archives follow its own: a few reloads may come at once.
  private static let millisecondsDespiteReloads = 1000

  /// Whether too many archives have followed that of an answer that is being made, although it has had time.
  func hasOutlivedReloads(at now: Int, _ adoptions: Int) -> Bool {
    holdsOldArchive(after: adoptions) && now - begunTurn >= Self.millisecondsDespiteReloads
  }

  /// Whether the answer is one of an archive that too many have followed.
  /// - Parameter adoptions: how many archives the worker has adopted.
  func holdsOldArchive(after adoptions: Int) -> Bool { adoptions - self.adoptions > Self.oldArchives }

  /// Whether the connection is between requests, so that stopping need not wait for it.
  var isWaiting: Bool { exchange.phase == .waiting }
}
