import CellServer
import Cells

/// An answer that takes turn after turn, until its gate is open.
final class TransportTestWork: AnswerWork {
  private let gate: Gate?

  init(gate: Gate?) { self.gate = gate }

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
