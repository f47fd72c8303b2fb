package import CellServer
import CellTemplates
import Cells
import Synchronization

/// The endpoints of a preview. They are not part of the API description.
extension Preview {
  /// Pages run only this server's script.
  private static let pagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    + "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  /// Frames run no script and show what cells name.
  private static let framePolicy =
    "default-src 'none'; style-src 'self' 'unsafe-inline' https:; img-src 'self' data: https:; "
    + "font-src 'self' https:; media-src 'self' https:; form-action 'none'; frame-ancestors 'self'; "
    + "sandbox allow-same-origin"

  package var endpoints: [Endpoint] {
    [
      page("/", takesQuery: true) { [self] context, head throws(Problem) in
        let query = try QueryFields(head.query, names: ["kind"])
        if let name = query["kind"] { return try kindPage(name, context) }
        return try work(context, Self.pagePolicy) { $0.index($1) }
      },
      page("/preview/events") { [self] _, head throws(Problem) in
        guard head.method == .get else { return Answer(status: 200, contentType: "text/event-stream") }
        guard events.open() else {
          throw .overloaded(
            detail: "too many pages of the preview are open; close some", retryAfterSeconds: 5)
        }
        return EventStream(of: events, while: readiness).answer()
      },
      resource(PreviewResources.script, at: "/preview/page.js"),
      resource(PreviewResources.styles, at: "/preview/page.css"),
      page("/preview/files/{path}") { [self] context, head throws(Problem) in
        try file(context.tail, head, context)
      },
      page("/preview/frame/{path}", takesQuery: true) { [self] context, head throws(Problem) in
        let query = try QueryFields(
          head.query, names: ["row", "missing", "as", "locale", "time_zone", "now"])
        let shown = try content(query, setting(query))
        let kind = try find(context.tail)
        return try work(context, Self.framePolicy) { $0.frame(kind, shown, $1) }
      },
      page("/preview/{path}") { [self] context, _ throws(Problem) in try kindPage(context.tail, context) },
    ]
  }

  private typealias Handler =
    @Sendable (EndpointContext, borrowing RequestHead) throws(Problem) -> Answer

  private func page(_ path: StaticString, takesQuery: Bool = false, _ answer: @escaping Handler) -> Endpoint {
    let visitor = visitor
    return Endpoint(page: path, takesQuery: takesQuery) { context, head, _, _, _ throws(Problem) in
      if let refusal = visitor.refusal(head) { throw Problem(.badRequest, detail: refusal) }
      return try answer(context, head)
    }
  }

  private func resource(_ file: PreviewResources.File, at path: StaticString) -> Endpoint {
    page(path) { _, _ in
      var answer = Answer(
        status: 200, contentType: file.contentType, headers: [("Cache-Control", "no-cache")])
      answer.body.append(file.bytes)
      answer.isTagged = true
      return answer
    }
  }

  private func kindPage(_ name: String, _ context: EndpointContext) throws(Problem) -> Answer {
    let kind = try find(name)
    return try work(context, Self.pagePolicy) { [missing] in $0.kind(kind, missing: missing, $1) }
  }

  private func find(_ name: String) throws(Problem) -> PreviewKind {
    guard let kind = edition?.kind(named: name) else {
      throw Problem(.unknownKind, detail: "there is no cell of this kind; the page / lists them")
    }
    return kind
  }

  /// A file that a nib links to. It is looked up among those that were collected; no path is opened.
  private func file(
    _ path: String, _ head: borrowing RequestHead, _ context: EndpointContext
  ) throws(Problem) -> Answer {
    guard let file = edition?.files[ExactString(path)] else {
      throw Problem(
        .notFound,
        detail: "no nib links to a style sheet, image or font with this path in the templates folder")
    }
    return file.answer(
      head, headers: [("Content-Security-Policy", "sandbox; default-src 'none'")], budget: context.budget)
  }

  private func content(
    _ query: QueryFields, _ setting: RenderSetting
  ) throws(Problem) -> FrameWriter.Content {
    var content = FrameWriter.Content(missing: missing, setting: setting)
    switch query["row"] {
    case nil: break
    case "all"?: content.rows = .all
    case "none"?: content.rows = .none
    case let text?:
      guard let row = Int(text), row >= 0 else {
        throw Problem(.badRequest, detail: "row must be all, none, or the number of a sample row, from 0")
      }
      content.rows = .one(row)
    }
    if let text = query["missing"] {
      guard let missing = MissingPolicy(rawValue: text) else {
        throw Problem(.badRequest, detail: "missing must be drop, keep, blank or error")
      }
      content.missing = missing
    }
    switch query["as"] {
    case nil: break
    case "designed"?: content.isDesign = true
    case _?: throw Problem(.badRequest, detail: "as must be designed")
    }
    return content
  }

  /// The work that makes a page on the preview's thread.
  private func work(
    _ context: EndpointContext, _ policy: String,
    _ make: @escaping @Sendable (PageWriter, PreviewEdition) -> [UInt8]
  ) throws(Problem) -> Answer {
    guard let edition else { throw Problem(.notFound, detail: "no cells have been loaded yet") }
    return .unmade(
      PageWork(on: queue, budget: context.budget) { [self] in
        PageWork.Page(policy: policy, bytes: SharedBuffer(writer.withLock { make($0.writer, edition) }))
      })
  }
}
