package import Cells

/// An answer that is not made in one go: rendered, a slice at a time, between the turns of other connections.
///
/// Before its head is sent, `advance` goes on with it; behind the head, `write` makes the body as the client takes it.
/// Confined to the worker's thread, and entered from one call at a time. The request's body is its exchange's, which
/// keeps it until `end`; what else the work holds it counts in the worker's budget.
package protocol AnswerWork: AnyObject {
  /// Works for a slice before the head is sent.
  ///
  /// - Parameters:
  ///   - body: the request's, as the handler left it.
  ///   - sharers: the works of this worker, this one included: each has its share of a turn of the loop.
  /// - Returns: the answer, complete or to be streamed; nil while there is more to do.
  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer?

  /// Appends the next piece of a streamed body to `output`, which is empty: about `bytes`, and no more than a row beyond
  /// them; less, or nothing, where a slice's time is over before.
  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress

  /// Whether the answer may be refused for want of room beside others that are made in slices: nothing of it is made yet.
  var mayBeGivenUp: Bool { get }

  /// Gives back all that it holds, wherever it stands. Nothing else is asked of it afterwards. May be called inside a
  /// callback, and inside the factory.
  func end()
}

extension AnswerWork {
  package var mayBeGivenUp: Bool { true }
}

/// How far a streamed body is.
package enum BodyProgress: Sendable {
  case more
  /// What was written is the last of it.
  case complete
  /// It cannot be completed: behind what was written it is broken off.
  case broken
}
