import Cells
import CellTemplates

/// Good rows: rendered by a cell and written in the answer's format.
extension BatchRenderer {
  /// A row that can be rendered.
  struct Row {
    var index: Int
    var kind: UInt32
    var data: JSONTape.Index
    var id: JSONTape.Index?
    var etag: JSONTape.Index?
    /// What the item says of its Turbo Stream.
    var stream = ItemReader.Stream()
  }

  /// A row that is rendered individually and not complete, with its next stage.
  struct UnfinishedItem {
    enum Stage {
      /// Looking for names that its kind never reads.
      case naming(UnknownNames)
      /// Rendering it.
      case rendering
      /// Rendering it alone, because there was no room for it and it may have another fault.
      case judging(RenderFault)
      /// Printing its outlets after its content, which has this many bytes.
      case outlets(OutletPrinter, contentCount: Int)
      /// Hashing its content and outlets for its entity tag.
      case tagging(RowHash, contentCount: Int)
      /// Writing it as an object. `done` bytes of its content and outlets are written.
      case writing(contentCount: Int, etag: ContentHash?, done: Int)
    }

    let row: Row
    var stage: Stage
  }

  /// The hash of a row's content and outlets, as far as it is computed.
  final class RowHash {
    private var hasher = ContentHasher()
    private var done = 0

    /// Hashes the next part.
    /// - Returns: the hash; nil if there is more to hash.
    func appendPart(of rendered: UnsafeRawBufferPointer) -> ContentHash? {
      let end = min(done + outletBytesPerLook, rendered.count)
      hasher.append(UnsafeRawBufferPointer(rebasing: rendered[done..<end]))
      done = end
      return end == rendered.count ? hasher.hash : nil
    }
  }

  /// Bytes of content written between two checks of the clock.
  private static var contentBytesPerLook: Int { 64 << 10 }
  /// Same, for outlets, which are only copied, and for hashing.
  static var outletBytesPerLook: Int { 1 << 20 }

  /// Renders a single row, or continues with the unfinished one.
  mutating func render(
    _ row: Row, into output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    let isText = archive.isText(row.kind)
    if !format.holds(isText: isText) {
      refuse(row, [formatError(row, isText: isText)], count: 1, &output)
      return
    }
    if let fault = streamFault(of: row) {
      refuse(row, [streamError(row, fault)], count: 1, &output)
      return
    }
    if options.refusesUnknownNames, try !hasKnownNames(row, &output, factory) { return }
    let cell = dequeue(row.kind, factory)
    let context = RowContext(row: row.data, index: row.index, count: count, owner: batch.owner)
    do throws(RenderFault) {
      if !format.content.isWrittenWhole {
        try renderContent(row, cell, context, into: &output, factory)
      } else {
        try renderObject(row, cell, context, into: &output, factory)
      }
    } catch {
      if case .paused = error {
        paused = factory.takePausedRow()
        if item == nil { item = UnfinishedItem(row: row, stage: .rendering) }
        return
      }
      item = nil
      try refuse(row, error, &output, factory)
      return
    }
    if item == nil, purpose != .judging { statistics.countRows(1, ofKind: row.kind, in: archive) }
  }

  /// Renders a row into the output. The row is complete if `item` is nil.
  private mutating func renderContent(
    _ row: Row, _ cell: Cell, _ context: RowContext, into output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(RenderFault) {
    if case .judging(let fault) = item?.stage {
      try renderRest(cell, context, limits: limits, into: &cell.buffer, factory)
      throw fault
    }
    do throws(RenderFault) {
      try renderRest(cell, context, limits: room, into: &output, factory)
      item = nil
    } catch {
      guard mayHaveAnotherFault(error, after: output.count) else { throw error }
      cell.buffer.truncate(to: 0)
      item = UnfinishedItem(row: row, stage: .judging(error))
    }
  }

  /// Renders a row and writes it as an object. The row is complete if `item` is nil.
  private mutating func renderObject(
    _ row: Row, _ cell: Cell, _ context: RowContext, into output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(RenderFault) {
    var stage = item?.stage ?? .rendering
    while true {
      switch stage {
      case .rendering, .judging, .naming:
        if !isWithinRow { cell.buffer.truncate(to: 0) }
        try renderRest(cell, context, limits: limits, into: &cell.buffer, factory)
        let contentCount = cell.buffer.count
        if options.fields.contains(.outlets) {
          // Separated by a byte that no JSON starts with, so that the hash covers both unambiguously.
          cell.buffer.append(byte: 0)
          let printer = factory.outletPrinter(ofKind: row.kind, context, on: tape, limits: limits)
          stage = .outlets(printer, contentCount: contentCount)
        } else {
          stage = tagging(row, cell.buffer.bytes, contentCount: contentCount)
        }
      case .outlets(let printer, let contentCount):
        guard try printer.print(on: tape, to: &cell.buffer) else {
          item = UnfinishedItem(row: row, stage: stage)
          return
        }
        if cell.buffer.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
        stage = tagging(row, cell.buffer.bytes, contentCount: contentCount)
      case .tagging(let hash, let contentCount):
        if let etag = hash.appendPart(of: cell.buffer.bytes) {
          stage = .writing(contentCount: contentCount, etag: etag, done: 0)
        } else if factory.rowPause.isOver() {
          item = UnfinishedItem(row: row, stage: stage)
          return
        }
      case .writing(let contentCount, let etag, let done):
        let written =
          options.turboStream == nil
          ? write(row, cell.buffer.bytes, contentCount: contentCount, etag, from: done, to: &output, factory)
          : writeStream(row, cell.buffer.bytes, from: done, to: &output, factory)
        if let done = written {
          item = UnfinishedItem(row: row, stage: .writing(contentCount: contentCount, etag: etag, done: done))
        } else {
          item = nil
        }
        return
      }
    }
  }

  /// What follows once a row's content and outlets are there: a long row is hashed in parts.
  private func tagging(
    _ row: Row, _ rendered: UnsafeRawBufferPointer, contentCount: Int
  ) -> UnfinishedItem.Stage {
    let isTagged = options.turboStream == nil && (options.fields.contains(.etag) || row.etag != nil)
    if isTagged, rendered.count > Self.outletBytesPerLook {
      return .tagging(RowHash(), contentCount: contentCount)
    }
    return .writing(contentCount: contentCount, etag: isTagged ? ContentHash(of: rendered) : nil, done: 0)
  }

  /// Renders a row, or continues a paused one.
  mutating func renderRest(
    _ cell: Cell, _ context: RowContext, limits: RenderLimits, into output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(RenderFault) {
    if let row = paused.take() {
      try factory.resume(row, cell, context, on: tape, limits: limits, into: &output)
    } else {
      try factory.render(cell, context, on: tape, limits: limits, into: &output)
    }
  }

  /// Whether a row that did not fit after `count` bytes and the passed ones must be rendered alone: it may
  /// have another fault, and a bad row needs no room.
  func mayHaveAnotherFault(_ fault: RenderFault, after count: Int) -> Bool {
    if case .outputTooLarge = fault { count + passedBytes > 0 } else { false }
  }

  /// Writes a row as an object. Takes what differs from call to call of one row apart, because it is called for each row.
  /// - Parameter done: the bytes of `rendered` that are already written.
  /// - Returns: the new number of written bytes; nil if the object is complete.
  private mutating func write(
    _ row: Row, _ rendered: UnsafeRawBufferPointer, contentCount: Int, _ etag: ContentHash?,
    from done: Int, to output: inout ByteBuffer, _ factory: isolated CellFactory
  ) -> Int? {
    let (fields, writer) = (options.fields, format.writer)
    if done == 0 {
      beginRow(row.index, kind: archive.name(ofKind: row.kind), id: row.id, &output)
      if let etag, let known = row.etag, tape.bytes(known).elementsEqual(etag.hex.utf8) {
        writer.append(etag: etag, to: &output)
        writer.appendUnchanged(to: &output)
        endRow(&output)
        return nil
      }
      if let etag, fields.contains(.etag) { writer.append(etag: etag, to: &output) }
      writer.append(describing: row.kind, fields, of: archive, to: &output)
    }
    var done = done
    if fields.contains(.html), done <= contentCount {
      if done == 0 { writer.beginContent(isText: archive.isText(row.kind), to: &output) }
      repeat {
        let end = min(done + Self.contentBytesPerLook, contentCount)
        writer.append(content: UnsafeRawBufferPointer(rebasing: rendered[done..<end]), to: &output)
        done = end
        if done < contentCount, factory.rowPause.isOver() { return done }
      } while done < contentCount
      writer.endContent(to: &output)
    }
    if fields.contains(.outlets) {
      if done <= contentCount {
        writer.beginOutlets(to: &output)
        done = contentCount + 1
      }
      while done < rendered.count {
        let end = min(done + Self.outletBytesPerLook, rendered.count)
        writer.append(outlets: UnsafeRawBufferPointer(rebasing: rendered[done..<end]), to: &output)
        done = end
        if done < rendered.count, factory.rowPause.isOver() { return done }
      }
    }
    endRow(&output)
    return nil
  }

  mutating func beginRow(
    _ index: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ output: inout ByteBuffer
  ) {
    if position.writtenRows > 0 { output.append(format.separator) }
    position.writtenRows += 1
    format.writer.begin(index, kind: kind, id: id, on: tape, to: &output)
  }

  func endRow(_ output: inout ByteBuffer) {
    format.writer.end(to: &output)
    output.append(format.terminator)
  }
}
