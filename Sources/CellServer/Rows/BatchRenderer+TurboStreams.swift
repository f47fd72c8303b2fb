import Cells
import CellTemplates

/// Rows in Turbo Streams. Rows that say nothing of their own share one, unless its target needs the id of each row.
extension BatchRenderer {
  /// Why a row cannot be written.
  enum StreamFault {
    case noAction, noTarget, noID

    var detail: String {
      switch self {
      case .noAction: "neither the item nor the query has an action: \(TurboStreamControls.list)"
      case .noTarget: "neither the item nor the query has a target"
      case .noID:
        "there is no id for {id} in the target: a string, number or boolean of at most "
          + "\(TurboStreamControls.limitBytes) bytes, in the item or among the first \(TurboStreamElement.searchedMembers) members of the row"
      }
    }
  }

  /// The reason, if the format is Turbo Streams and the row cannot be written. Cost: the members of the row up to a bound.
  func streamFault(of row: Row) -> StreamFault? {
    guard let stream = options.turboStream else { return nil }
    if row.stream.action == nil, stream.action == nil { return .noAction }
    let ownNeedsID = row.stream.target.map { TurboStreamControls.idRange(in: tape.bytes($0)) != nil }
    guard let needsID = ownNeedsID ?? stream.target?.needsID else { return .noTarget }
    return needsID && TurboStreamElement.id(of: row.id, row.data, on: tape) == nil ? .noID : nil
  }

  func streamError(_ row: Row, _ fault: StreamFault) -> Problem.Entry {
    Problem.Entry(pointer: batch.pointer(row.index), code: .invalidRow, detail: fault.detail)
  }

  /// Writes a row that has no `streamFault`.
  /// - Parameters:
  ///   - content: the rendered cell.
  ///   - done: the bytes of `content` that are already written.
  /// - Returns: the new number of written bytes; nil if the row is complete.
  mutating func writeStream(
    _ row: Row, _ content: UnsafeRawBufferPointer, from done: Int, to output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) -> Int? {
    guard let stream = options.turboStream else { preconditionFailure("the format is Turbo Streams") }
    let isShared = !row.stream.isOwn && !stream.needsID
    if done == 0 {
      if position.isTurboStreamOpen, !isShared { endStream(&output) }
      if !position.isTurboStreamOpen {
        TurboStreamElement.begin(stream, row.stream, id: row.id, row.data, on: tape, to: &output)
        position.isTurboStreamOpen = true
        position.begunTurboStreams += 1
      }
    }
    var done = done
    while done < content.count {
      let end = min(done + Self.outletBytesPerLook, content.count)
      output.append(UnsafeRawBufferPointer(rebasing: content[done..<end]))
      done = end
      if done < content.count, factory.rowPause.isOver() { return done }
    }
    if !isShared { endStream(&output) }
    return nil
  }

  /// Appends what follows the last row. Without rows, the stream that they would share is empty.
  mutating func endStreams(_ output: inout ByteBuffer) {
    guard let stream = options.turboStream else { return }
    if position.begunTurboStreams == 0, stream.action != nil, stream.target != nil, !stream.needsID {
      TurboStreamElement.begin(stream, ItemReader.Stream(), id: nil, 0, on: tape, to: &output)
      position.isTurboStreamOpen = true
    }
    if position.isTurboStreamOpen { endStream(&output) }
  }

  private mutating func endStream(_ output: inout ByteBuffer) {
    output.append(TurboStreamElement.end)
    position.isTurboStreamOpen = false
  }
}
