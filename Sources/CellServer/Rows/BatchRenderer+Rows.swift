import Cells
import CellTemplates

/// Good rows: rendered by a cell and written in the answer's format.
extension BatchRenderer {
  /// A row that can be rendered.
  struct Row {
    var place: Int
    var kind: UInt32
    var data: JSONTape.Index
    var id: JSONTape.Index?
    var etag: JSONTape.Index?
  }

  mutating func draw(
    _ row: Row, into output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    let isText = archive.isText(row.kind)
    if !format.holds(isText: isText) {
      refuse(row, [formatError(row, isText: isText)], count: 1, &output)
      return
    }
    let cell = dequeue(row.kind, factory)
    let context = RowContext(row: row.data, place: row.place, count: count, owner: batch.owner)
    do throws(RenderFault) {
      if format.content != .objects {
        do throws(RenderFault) {
          try drawOn(cell, context, limits: room, into: &output, factory)
        } catch {
          throw fault(error, of: context, by: cell, behind: output.count, factory)
        }
      } else {
        if !isWithinRow { cell.buffer.truncate(to: 0) }
        try drawOn(cell, context, limits: limits, into: &cell.buffer, factory)
        let contentCount = cell.buffer.count
        if options.fields.contains(.outlets) {
          // Separated by a byte that no JSON starts with, so that the hash covers both unambiguously.
          cell.buffer.append(byte: 0)
          try factory.appendOutlets(ofKind: row.kind, context, on: tape, limits: limits, to: &cell.buffer)
          if cell.buffer.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
        }
        write(row, cell.buffer.bytes, contentCount: contentCount, isText: isText, to: &output)
      }
    } catch {
      if case .paused = error {
        (paused, pausedItem) = (factory.takePausedRow(), row)
        return
      }
      pausedItem = nil
      try refuse(row, error, &output)
      return
    }
    pausedItem = nil
    if purpose != .judging { statistics.countRows(1, ofKind: row.kind, in: archive) }
  }

  /// Renders a row, or continues a paused one.
  private mutating func drawOn(
    _ cell: Cell, _ context: RowContext, limits: RenderLimits, into output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(RenderFault) {
    if let row = paused.take() {
      try factory.resume(row, cell, context, on: tape, limits: limits, into: &output)
    } else {
      try factory.draw(cell, context, on: tape, limits: limits, into: &output)
    }
  }

  /// The actual fault of a row for which there was no room after `count` bytes and those that have passed.
  /// Rendered alone, it may have another fault, and a bad row needs no room.
  func fault(
    _ fault: RenderFault, of context: RowContext, by cell: Cell, behind count: Int,
    _ factory: isolated CellFactory
  ) -> RenderFault {
    guard case .outputTooLarge = fault, count + passedBytes > 0 else { return fault }
    cell.buffer.truncate(to: 0)
    let pause = factory.rowPause
    factory.rowPause = .never
    defer { factory.rowPause = pause }
    do throws(RenderFault) {
      try factory.draw(cell, context, on: tape, limits: limits, into: &cell.buffer)
    } catch {
      return error
    }
    return fault
  }

  private mutating func write(
    _ row: Row, _ drawn: UnsafeRawBufferPointer, contentCount: Int, isText: Bool, to output: inout ByteBuffer
  ) {
    let fields = options.fields
    beginRow(row.place, kind: archive.bytes(archive.kinds.base[Int(row.kind)].name), id: row.id, &output)
    let etag = fields.contains(.etag) || row.etag != nil ? ContentHash(of: drawn) : nil
    if let etag, let known = row.etag, tape.bytes(known).elementsEqual(etag.hex.utf8) {
      RowWriter.append(etag: etag, to: &output)
      output.append(",\"unchanged\":true")
    } else {
      if let etag, fields.contains(.etag) { RowWriter.append(etag: etag, to: &output) }
      let kind = archive.kinds.base[Int(row.kind)]
      RowWriter.append(describing: kind, fields, of: archive, to: &output)
      if fields.contains(.html) {
        let content = UnsafeRawBufferPointer(rebasing: drawn[..<contentCount])
        RowWriter.append(content: content, isText: isText, to: &output)
      }
      if fields.contains(.outlets) {
        output.append(",\"outlets\":")
        output.append(UnsafeRawBufferPointer(rebasing: drawn[(contentCount + 1)...]))
      }
    }
    endRow(&output)
  }

  mutating func beginRow(
    _ place: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ output: inout ByteBuffer
  ) {
    if position.writtenRows > 0 { output.append(format.separator) }
    position.writtenRows += 1
    RowWriter.begin(place, kind: kind, id: id, on: tape, to: &output)
  }

  func endRow(_ output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: "}"))
    output.append(format.terminator)
  }
}
