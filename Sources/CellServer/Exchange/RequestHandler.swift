package import Cells

/// Turns one complete request into its answer. One handler serves all workers.
package protocol RequestHandler: Sendable {
  /// Answers the request. Runs on the worker's thread, inside its factory, and keeps that worker from all
  /// else until it returns: what takes long it hands over as an `AnswerWork`.
  ///
  /// - Parameters:
  ///   - head: has passed the `RequestGuard`.
  ///   - body: the whole of it, within the body limit; empty but for POST. The handler may work in place;
  ///     what it holds is counted against `budget` already. It stays where it is until a work has ended.
  ///   - output: an empty buffer with room from earlier answers, for the answer's body.
  ///   - budget: where the handler reserves what else it needs for long, and gives it back before it returns; a
  ///     work, when it ends.
  /// - Returns: the answer, complete, or with the work that is still to be done for it. The bodies of answers to HEAD and
  ///   of a 304 are left out, but their length is sent: they are to be those of the answers that they stand for.
  func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory
  ) -> Answer

  /// Whether the request is answered however long it has waited: what tells operators how the server is they need above
  /// all when it is not well.
  func isNeverOverdue(_ head: borrowing RequestHead) -> Bool
}

extension RequestHandler {
  package func isNeverOverdue(_ head: borrowing RequestHead) -> Bool { false }
}
