import Cells
import CellTemplates

/// The routes that render: from a request's rows to its cells.
extension CellService {
  /// `POST /cells/KIND`: an array of rows, one row, NDJSON, or form fields.
  func postRows(
    _ head: borrowing RequestHead, _ kind: UInt32, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
    _ budget: MemoryBudget, _ archive: CellArchive, _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let controls = try Controls(query: head.query)
    let format = try format(controls, head, available: Self.formats(of: kind, archive))
    let type = BodyType(try declaredType(head), body: body.bytes)
    return try render(
      .data(kind: kind), in: &body, type: type, as: format, controls, settings, output, budget, archive,
      factory)
  }

  /// `POST /cells`: items of any kind, in an array, an envelope, alone, or as NDJSON.
  func postBatch(
    _ head: borrowing RequestHead, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
    _ budget: MemoryBudget, _ archive: CellArchive,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let controls = try Controls(query: head.query)
    let format = try format(controls, head, available: OutputFormat.ofBatch)
    let type = BodyType(try declaredType(head), body: body.bytes)
    if type == .form { throw BodyType.formProblem }
    return try render(
      .items, in: &body, type: type, as: format, controls, settings, output, budget, archive, factory)
  }

  /// `GET /cells/KIND`: one cell from the query's fields, with a strong entity tag.
  func getCell(
    _ head: borrowing RequestHead, _ kind: UInt32, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
    _ budget: MemoryBudget, _ archive: CellArchive, _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let controls = try Controls(
      query: head.query, depthLimit: settings.jsonDepth, fieldLimit: settings.fields, data: &body)
    let format = try format(controls, head, available: Self.formats(of: kind, archive))
    // The tag is that of all of the answer.
    var whole = settings
    whole.completeBytes = .max
    return try render(
      .data(kind: kind), in: &body, type: .json, as: format, controls, whole, output, budget, archive,
      factory,
      isTagged: true)
  }

  /// Answers in one go, if that is soon done; else with the work that is left to do.
  private func render(
    _ content: Batch.Content, in body: inout ByteBuffer, type: BodyType, as format: OutputFormat,
    _ controls: Controls, _ settings: Settings, _ output: consuming ByteBuffer, _ budget: MemoryBudget,
    _ archive: CellArchive, _ factory: isolated CellFactory, isTagged: Bool = false
  ) throws(Problem) -> Answer {
    let isLarge = body.count > settings.sliceBodyBytes
    var slice = Slice(
      microseconds: settings.sliceMicroseconds, outputBytes: settings.completeBytes,
      isSpent: isLarge)
    let isSandboxed = format == .html && content.mayPrintRaw(in: archive)
    let statistics = budget.statistics
    let start = statistics.clock()
    var reader = BodyReader(content, depthLimit: settings.jsonDepth, budget: budget)
    let read: Batch?
    do throws(Problem) {
      read = try reader.read(
        &body, type: type, fieldLimit: settings.fields, largeBytes: settings.sliceBodyBytes, &slice, factory)
    } catch {
      reader.finish(factory)
      throw error
    }
    guard let batch = read else {
      reader.nanoseconds = statistics.clock() - start
      let options = BatchOptions(
        format, isSandboxed: isSandboxed, controls, settings, isTagged: isTagged, onUnknownKind: onUnknownKind
      )
      return .unmade(ReadWork(reader, options, output: output, budget: budget, factory))
    }
    let parsed = statistics.clock()
    statistics.countParse(nanoseconds: parsed - start)
    let tape = factory.tape(over: body)
    factory.rowPause = RowPause(afterMicroseconds: settings.sliceMicroseconds)
    var few = FewRows(batch, as: format, on: tape, in: archive)
    if few?.draw(
      into: &output, on: tape, limits: controls.limits(within: settings.render),
      pauseBytes: settings.completeBytes, budget, archive, factory) == true
    {
      statistics.countRender(nanoseconds: statistics.clock() - parsed)
      reader.finish(factory)
      var answer = Answer(rows: output, as: format, isSandboxed: isSandboxed)
      answer.madeAt = statistics.latestNanoseconds
      return answer
    }
    var renderer = BatchRenderer(
      batch, tape: tape, archive: archive,
      options: BatchOptions(
        format, isSandboxed: isSandboxed, controls, settings, isTagged: isTagged, onUnknownKind: onUnknownKind
      ),
      reusesCells: factory.reusesCells, budget: budget)
    do throws(Problem) {
      if let few { try renderer.takeOver(few, &output) }
      renderer.begin(&output)
      try renderer.draw(into: &output, over: body, &slice, factory)
      if renderer.isAtEnd { try renderer.close(&output) }
    } catch {
      renderer.nanoseconds = statistics.clock() - parsed
      renderer.finish(factory)
      renderer.countOutcome()
      reader.finish(factory)
      throw error
    }
    renderer.nanoseconds = statistics.clock() - parsed
    if renderer.isAtEnd {
      renderer.finish(factory)
      renderer.countOutcome()
      reader.finish(factory)
      var answer = renderer.options.answer(output, errorCount: renderer.errorCount)
      answer.madeAt = statistics.latestNanoseconds
      return answer
    }
    return BatchWork(renderer, reader, factory.keepRows(), output: output).begin(factory)
  }

  private func declaredType(_ head: borrowing RequestHead) throws(Problem) -> BodyType.Declared {
    try BodyType.declared(contentType: head.contentType, contentEncoding: head.contentEncoding)
  }

  private func format(
    _ controls: Controls, _ head: borrowing RequestHead, available: [OutputFormat]
  ) throws(Problem) -> OutputFormat {
    guard
      let format = Negotiation.format(requested: controls.format, accept: head.accept, available: available)
    else { throw Negotiation.problem(available: available) }
    return format
  }

  private static func formats(of kind: UInt32, _ archive: CellArchive) -> [OutputFormat] {
    archive.isText(kind) ? OutputFormat.ofTextCell : OutputFormat.ofHTMLCell
  }
}

extension Batch.Content {
  /// Whether the answer may hold raw values. Which kinds items name is not known before the last has been read, and by
  /// then the head may be sent: any of the archive's.
  fileprivate func mayPrintRaw(in archive: CellArchive) -> Bool {
    switch self {
    case .data(let kind): archive.printsRaw(kind)
    case .items: archive.printsRawHTML
    }
  }
}
