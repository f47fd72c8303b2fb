import Cells
import CellTemplates

/// The rows of a request and the options for rendering them. It is never copied, which would cost more than routing.
struct RowsRequest: ~Copyable {
  let content: Batch.Content
  let controls: Controls
  let format: RowFormat
  let type: BodyType
  /// Whether the answer gets an entity tag.
  let isTagged: Bool
  private let acceptLanguage: String?
  /// When the query began to be read, in nanoseconds of `MonotonicClock`, if it holds the row: that takes as long as reading a body.
  private let queryBegan: Int?

  /// A request whose rows are its body.
  init(
    posted content: Batch.Content, _ head: borrowing RequestHead, _ body: UnsafeRawBufferPointer,
    _ context: EndpointContext
  ) throws(Problem) {
    let controls = try Controls(query: head.query)
    let format = try Self.format(controls, head, content, in: context.archive)
    let declared = try BodyType.declared(
      contentType: head.contentType, contentEncoding: head.contentEncoding)
    self.content = content
    self.controls = controls
    self.format = format
    type = BodyType(declared, body: body)
    isTagged = false
    queryBegan = nil
    acceptLanguage = head.acceptLanguage
  }

  /// A request whose single row is its query, which is written to `body` as JSON.
  /// - Parameter isRead: whether the kind reads a member of this name in its rows.
  init(
    queried content: Batch.Content, _ head: borrowing RequestHead, _ body: inout ByteBuffer,
    _ context: EndpointContext, isRead: (String) -> Bool
  ) throws(Problem) {
    queryBegan = context.budget.statistics.clock()
    let settings = context.service.settings
    let controls = try Controls(
      query: head.query, depthLimit: settings.jsonDepth, fieldLimit: settings.fields, data: &body,
      isRead: isRead)
    let format = try Self.format(controls, head, content, in: context.archive)
    self.content = content
    self.controls = controls
    self.format = format
    type = .json
    isTagged = true
    acceptLanguage = head.acceptLanguage
  }

  private static func format(
    _ controls: Controls, _ head: borrowing RequestHead, _ content: Batch.Content, in archive: CellArchive
  ) throws(Problem) -> RowFormat {
    var available = content.formats(in: archive)
    if !content.isText(in: archive) {
      // Without a target they can only be asked for by name, since items may name their own. Turbo accepts HTML as much, but
      // lists them first.
      if controls.format == .turboStream || controls.stream.hasTarget {
        let isNamed = Negotiation.names(RowFormat.turboStream, in: head.accept)
        available.insert(.turboStream, at: isNamed ? 0 : available.count)
      }
    }
    guard
      let format = Negotiation.format(requested: controls.format, accept: head.accept, available: available)
    else { throw Negotiation.problem(available: available) }
    if format == .turboStream { try controls.stream.check(needsTarget: !content.holdsItems) }
    return format
  }

  /// Makes the answer at once if that is quick; otherwise returns the remaining work.
  func answer(
    in body: inout ByteBuffer, _ output: consuming ByteBuffer, _ context: EndpointContext,
    _ factory: isolated CellFactory
  ) throws(Problem) -> Answer {
    let (archive, budget, settings) = (context.archive, context.budget, context.service.settings)
    let completeBytes = isTagged ? .max : settings.completeBytes
    let isSandboxed = [.html, .turboStreams].contains(format.content) && content.mayPrintRaw(in: archive)
    let statistics = budget.statistics
    let start = queryBegan ?? statistics.clock()
    var slice = Slice(
      microseconds: settings.sliceMicroseconds, since: start, outputBytes: completeBytes)
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
      let options = options(isSandboxed: isSandboxed, context)
      return .unmade(ReadWork(reader, options, output: output, budget: budget, factory))
    }
    let parsed = statistics.clock()
    statistics.countParse(nanoseconds: parsed - start)
    let tape = factory.tape(over: body)
    factory.rowPause = slice.rowPause
    let terms: RenderTerms?
    do throws(Problem) {
      terms = try RenderTerms.ofBatch(
        batch, in: archive, controls, acceptLanguage: acceptLanguage, settings)
    } catch {
      reader.finish(factory)
      throw error
    }
    var languages = AnswerLanguages()
    if case .data(let kind) = content, let terms { languages = terms.begin(kind, in: archive, factory) }
    let refusesNames = controls.refusesUnknownNames(settings)
    var few = refusesNames ? nil : FewRows(batch, as: format, on: tape, in: archive)
    if few?.render(
      into: &output, on: tape, limits: controls.limits(within: settings.render),
      pauseBytes: completeBytes, budget, archive, factory) == true
    {
      statistics.countRender(nanoseconds: statistics.clock() - parsed)
      let tally = factory.valueTally
      statistics.countUnformatted(tally.misfits)
      reader.finish(factory)
      var answer = Answer(rows: output, as: format, isSandboxed: isSandboxed)
      answer.tally = tally
      languages.apply(to: &answer)
      answer.madeAt = statistics.latestNanoseconds
      return answer
    }
    var renderer = BatchRenderer(
      batch, tape: tape, archive: archive, options: options(isSandboxed: isSandboxed, context), terms: terms,
      reusesCells: factory.reusesCells, budget: budget)
    renderer.languages = languages
    renderer.heldForReading = reader.heldBytes
    // A `BatchWork` gives back what only parsing needed.
    renderer.pausesForMemory = true
    do throws(Problem) {
      if let few { try renderer.takeOver(few, &output) }
      renderer.begin(&output)
      try renderer.render(into: &output, over: body, &slice, factory)
      if renderer.isComplete { try renderer.close(&output) }
    } catch {
      renderer.nanoseconds = statistics.clock() - parsed
      renderer.finish(factory)
      renderer.countOutcome()
      reader.finish(factory)
      throw error
    }
    renderer.nanoseconds = statistics.clock() - parsed
    if renderer.isComplete {
      let tally = factory.valueTally
      renderer.countMisfits(factory)
      renderer.finish(factory)
      renderer.countOutcome()
      reader.finish(factory)
      var answer = renderer.options.answer(
        output, errorCount: renderer.errorCount, tally: tally, renderer.languages)
      answer.madeAt = statistics.latestNanoseconds
      return answer
    }
    return BatchWork(renderer, reader, factory.keepRows(), output: output).begin(factory)
  }

  private func options(isSandboxed: Bool, _ context: EndpointContext) -> BatchOptions {
    BatchOptions(
      format, isSandboxed: isSandboxed, controls, context.service.settings, isTagged: isTagged,
      acceptLanguage: acceptLanguage,
      context.archive, onUnknownKind: context.service.onUnknownKind)
  }
}

extension Batch.Content {
  /// Whether the answer may contain raw values. The kinds of items are known only after the last one, when
  /// the head may already be sent, so any kind of the archive counts.
  fileprivate func mayPrintRaw(in archive: CellArchive) -> Bool {
    switch self {
    case .data(let kind): archive.printsRaw(kind)
    case .items: archive.printsRawHTML
    }
  }

  /// The formats available for these rows.
  fileprivate func formats(in archive: CellArchive) -> [RowFormat] {
    switch self {
    case .data(let kind): archive.isText(kind) ? RowFormats.ofTextCell : RowFormats.ofHTMLCell
    case .items: RowFormats.ofAnyCell
    }
  }

  /// Whether the rows are those of a text cell.
  fileprivate func isText(in archive: CellArchive) -> Bool {
    if case .data(let kind) = self { archive.isText(kind) } else { false }
  }

  fileprivate var holdsItems: Bool { if case .items = self { true } else { false } }
}
