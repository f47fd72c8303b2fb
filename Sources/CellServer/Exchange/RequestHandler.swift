package import CellTemplates
package import Cells

/// Answers complete requests. All workers share one handler.
package protocol RequestHandler: Sendable {
  /// Answers a request. Runs on the worker's thread, inside its factory, and blocks that worker until it
  /// returns. Anything that takes long must be returned as an `AnswerWork`.
  ///
  /// - Parameters:
  ///   - head: has passed the `RequestGuard`.
  ///   - body: complete and within the body limit; empty unless the method is POST. The handler may modify it
  ///     in place; its memory is already charged to `budget`. It stays in place until a work has ended.
  ///   - output: an empty buffer with capacity from earlier answers, for the answer's body.
  ///   - budget: where the handler reserves any other memory it needs. It must release that before it
  ///     returns; a work, when it ends.
  /// - Returns: the answer, complete or with the work that remains. For HEAD and 304, the body is not sent
  ///   but its length is, so it must be the body of the full answer.
  func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory
  ) -> Answer

  /// Whether the request is answered no matter how long it has waited. Operators need health and metrics most
  /// when the server is overloaded.
  func isNeverOverdue(_ head: borrowing RequestHead) -> Bool

  /// Whether the request is answered in the turn in which it comes up, however long that has lasted: a probe of the server's
  /// health, whose answer is small.
  func isProbe(_ head: borrowing RequestHead) -> Bool

  /// Called when all workers use an archive for the requests that begin from then on, on any thread. What is kept of
  /// earlier archives can go.
  func noteAdoption(of archive: CellArchive)
}

extension RequestHandler {
  package func isNeverOverdue(_ head: borrowing RequestHead) -> Bool { false }
  package func isProbe(_ head: borrowing RequestHead) -> Bool { false }
  package func noteAdoption(of archive: CellArchive) {}
}
