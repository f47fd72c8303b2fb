import Cells
import CellTemplates

/// The routes that render: from a request's rows to its cells.
extension CellService {
  /// `POST /cells/KIND`: an array of rows, one row, NDJSON, or form fields.
  func postRows(
    _ head: RequestHead, _ kind: UInt32, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
    _ budget: MemoryBudget, _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let controls = try Controls(query: head.query)
    let format = try format(controls, head, available: Self.formats(of: kind, factory.archive))
    let type = BodyType(try declaredType(head), body: body.bytes)
    let reader = BodyReader(depthLimit: settings.jsonDepth, budget: budget)
    defer { reader.finish(factory) }
    let rows = try reader.rows(ofKind: kind, in: &body, type: type, factory)
    return try render(rows, over: body, as: format, controls, output, budget, factory)
  }

  /// `POST /cells`: items of any kind, in an array, an envelope, alone, or as NDJSON.
  func postBatch(
    _ head: RequestHead, _ body: inout ByteBuffer, _ output: consuming ByteBuffer, _ budget: MemoryBudget,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let controls = try Controls(query: head.query)
    let format = try format(controls, head, available: OutputFormat.ofBatch)
    let type = BodyType(try declaredType(head), body: body.bytes)
    if type == .form { throw BodyType.formProblem }
    let reader = BodyReader(depthLimit: settings.jsonDepth, budget: budget)
    defer { reader.finish(factory) }
    let items = try reader.items(in: &body, type: type, factory)
    return try render(items, over: body, as: format, controls, output, budget, factory)
  }

  /// `GET /cells/KIND`: one cell from the query's fields, with a strong entity tag.
  func getCell(
    _ head: RequestHead, _ kind: UInt32, _ output: consuming ByteBuffer, _ budget: MemoryBudget,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    var data = ByteBuffer()
    let controls = try Controls(query: head.query, depthLimit: settings.jsonDepth, data: &data)
    let format = try format(controls, head, available: Self.formats(of: kind, factory.archive))
    let reader = BodyReader(depthLimit: settings.jsonDepth, budget: budget)
    defer { reader.finish(factory) }
    let rows = try reader.rows(ofKind: kind, in: &data, type: .json, factory)
    var answer = try render(rows, over: data, as: format, controls, output, budget, factory)
    let tag = EntityTag(ContentHash(of: answer.body.bytes).hex)
    answer.headers.append(("ETag", tag.headerValue))
    if let known = head.ifNoneMatch, tag.isNamed(inIfNoneMatch: known) {
      // The body stays: its length is that of the 200 it stands for; it is not sent.
      answer.status = 304
    }
    return answer
  }

  private func render(
    _ batch: Batch, over text: borrowing ByteBuffer, as format: OutputFormat, _ controls: Controls,
    _ output: consuming ByteBuffer, _ budget: MemoryBudget, _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    var limits = settings.render
    if let missing = controls.missing { limits.missing = missing }
    var renderer = BatchRenderer(
      batch, tape: factory.parser.tape(over: text), archive: factory.archive, format: format,
      fields: controls.fields, onError: controls.onError, limits: limits, reusesCells: factory.reusesCells,
      budget: budget)
    var answer = Answer(
      status: 200, contentType: format.contentType, headers: Self.variesByAccept, body: output)
    try renderer.run(
      into: &answer.body, over: text, jsonDepth: settings.jsonDepth, onUnknownKind: onUnknownKind, factory)
    if renderer.errorCount > 0 { answer.headers.append(("CellFactory-Errors", String(renderer.errorCount))) }
    return answer
  }

  /// One array for all answers.
  private static let variesByAccept: [Answer.Header] = [("Vary", "Accept")]

  private func declaredType(_ head: RequestHead) throws(Problem) -> BodyType.Declared {
    try BodyType.declared(contentType: head.contentType, contentEncoding: head.contentEncoding)
  }

  private func format(
    _ controls: Controls, _ head: RequestHead, available: [OutputFormat]
  ) throws(Problem) -> OutputFormat {
    guard
      let format = Negotiation.format(requested: controls.format, accept: head.accept, available: available)
    else { throw Negotiation.problem(available: available) }
    return format
  }

  private static func formats(of kind: UInt32, _ archive: CellArchive) -> [OutputFormat] {
    archive.kinds[Int(kind)].isText == 1 ? OutputFormat.ofTextCell : OutputFormat.ofHTMLCell
  }
}
