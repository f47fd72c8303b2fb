import CellServer
import Cells

/// An answer that takes turns until its gate is open.
final class TransportTestWork: AnswerWork {
  private let gate: Gate?
  let isWaiting: Bool

  /// - Parameter isWaiting: whether the work reports that it waits for the gate.
  init(gate: Gate?, isWaiting: Bool = false) {
    self.gate = gate
    self.isWaiting = isWaiting
  }

  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? {
    guard gate?.isPassable != false else { return nil }
    var output = ByteBuffer()
    output.append("work")
    return Answer(status: 200, contentType: "text/plain", body: output)
  }

  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress { .complete }

  func end() {}
}
