package import Cells

/// An answer made in slices, between the turns of other connections.
///
/// `advance` is called until the head can be sent. After that, `write` produces the body as fast as the
/// client takes it. Confined to the worker's thread; calls do not overlap. The exchange owns the request's
/// body and keeps it until `end`. The work counts everything else it holds in the worker's budget.
package protocol AnswerWork: AnyObject {
  /// Does one slice of work. Called only before the head is sent.
  ///
  /// - Parameters:
  ///   - body: the request's body, as the handler left it.
  ///   - sharers: the number of works of this worker, including this one. They share a turn of the loop.
  /// - Returns: the answer, complete or to be streamed; nil if there is more to do.
  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer?

  /// Appends the next piece of a streamed body to `output`, which is empty. The piece has about `bytes`
  /// bytes, plus one row at most; it is shorter or empty if the slice's time runs out first.
  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress

  /// Whether the answer may still be refused when too many answers are made in slices: no part of it exists
  /// yet.
  var mayBeGivenUp: Bool { get }

  /// Whether the work waits for something that another thread makes. Until then, calling `advance` is cheap and
  /// useless.
  var isWaiting: Bool { get }

  /// Releases everything the work holds, in any state. No other method is called afterwards. May be called
  /// inside a callback and inside the factory.
  func end()
}

extension AnswerWork {
  package var mayBeGivenUp: Bool { true }
  package var isWaiting: Bool { false }
}

/// The state of a streamed body.
package enum BodyProgress: Sendable {
  case more
  /// Nothing more exists yet. Only for event streams: `Server.resumeEventStreams` asks for more.
  case waiting
  /// The piece just written is the last one.
  case complete
  /// The body cannot be completed; the connection is cut after the piece just written.
  case broken
}
