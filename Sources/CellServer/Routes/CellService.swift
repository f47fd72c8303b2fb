package import Cells
import CellTemplates

/// Answers requests: from the route to the answer, or the work that makes it. Holds settings and nothing else.
package struct CellService: RequestHandler {
  package struct Settings: Sendable {
    /// Arrays and objects open at once in a body, 1...65535.
    package var jsonDepth = JSONParser.defaultDepthLimit
    /// Fields of a form or a query, at most.
    package var fields = 10_000
    /// Bounds of rendering, and what happens to missing names where the request does not say.
    package var render = RenderLimits()
    /// An answer of so many bytes is complete before its head is sent; a larger one is streamed.
    package var completeBytes = 1 << 20
    /// How long a batch keeps others waiting, in one go or in all its slices of one turn of the loop, in microseconds.
    /// Parsing comes on top.
    package var sliceMicroseconds = 3000
    /// A body of more bytes is read in slices, too.
    package var sliceBodyBytes = 2 << 20

    package init() {}

    /// Every answer is to be made in one go, complete: where nobody else waits.
    package mutating func makeWhole() {
      (completeBytes, sliceMicroseconds, sliceBodyBytes) = (.max, .max, .max)
    }
  }

  let settings: Settings
  private let readiness: Readiness
  /// Told in words of every kind, or nib and class, asked for that does not exist; called on the worker's
  /// thread.
  let onUnknownKind: (@Sendable (String) -> Void)?
  /// What `/metrics` shows: those of the server that the service answers for.
  private let metrics: Metrics
  private let documents = ArchiveDocuments()

  package init(
    settings: Settings = Settings(), readiness: Readiness, metrics: Metrics = Metrics(),
    onUnknownKind: (@Sendable (String) -> Void)? = nil
  ) {
    self.settings = settings
    self.readiness = readiness
    self.metrics = metrics
    self.onUnknownKind = onUnknownKind
  }

  package func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory
  ) -> Answer {
    var subject = RequestSubject(route: .other)
    var answer = answer(head, body: &body, output: output, budget: budget, factory: factory, &subject)
    answer.subject = subject
    return answer
  }

  private func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory, _ subject: inout RequestSubject
  ) -> Answer {
    do throws(Problem) {
      let route = try head.route()
      let statistics = budget.statistics
      subject.route = route.metricsLabel
      if subject.route.namesKind { subject.kind = statistics.kinds.unknown }
      let archive = factory.archive
      let kind = try kind(of: route, in: archive)
      if let kind { subject.kind = statistics.place(ofKind: kind, in: archive) }
      if head.method == .options { return options(route) }
      try route.check(head.method)
      switch route {
      case .cells:
        return try postBatch(head, &body, output, budget, archive, factory)
      case .cellsOf:
        if head.method == .post { return try postRows(head, kind!, &body, output, budget, archive, factory) }
        return try getCell(head, kind!, &body, output, budget, archive, factory)
      case .kinds:
        try Controls.refuse(query: head.query)
        return document(.kinds, of: archive, for: head)
      case .kind:
        try Controls.refuse(query: head.query)
        return document(.kind(kind!), of: archive, for: head)
      case .livez:
        try Controls.refuse(query: head.query)
        return Self.json { $0.append("{\"status\":\"live\"}\n") }
      case .readyz:
        try Controls.refuse(query: head.query)
        return ready()
      case .schema:
        try Controls.refuse(query: head.query)
        return document(.schema(kind!), of: archive, as: "application/schema+json", for: head)
      case .metrics:
        try Controls.refuse(query: head.query)
        return metrics.answer(archive: archive, isReady: readiness.isReady)
      case .openapi:
        try Controls.refuse(query: head.query)
        return document(.openapi, of: archive, for: head)
      case .asterisk:
        throw Self.nothing(at: head.path)
      }
    } catch {
      budget.statistics.countRefusal(for: error.code)
      var answer = Answer(problem: error)
      if error.code == .notAcceptable { answer.varies = .accept }
      return answer
    }
  }

  /// The number of the kind a route names, nil where it names none. `.unknownKind` where there is none of
  /// that name.
  private func kind(of route: Route, in archive: CellArchive) throws(Problem) -> UInt32? {
    switch route {
    case .cellsOf(let name), .kind(let name), .schema(let name):
      if let number = archive.kindNumber(name) { return number }
      throw unknownKind(name)
    case .cells, .kinds, .livez, .readyz, .metrics, .openapi, .asterisk:
      return nil
    }
  }

  func unknownKind(_ name: String) -> Problem {
    onUnknownKind?(Excerpt.quoted(name))
    return Problem(.unknownKind, detail: Self.unknownKindDetail(name))
  }

  static func unknownKindDetail(_ name: String) -> String {
    "there is no cell of kind \(Excerpt.quoted(name)); GET /kinds lists the kinds"
  }

  private static func nothing(at path: String) -> Problem {
    Problem(.notFound, detail: "there is nothing at \(Excerpt.quoted(path)) yet")
  }

  private func options(_ route: Route) -> Answer {
    Answer(status: 204, headers: [("Allow", route.methods.joined(separator: ", "))])
  }

  private func ready() -> Answer {
    guard readiness.isReady else {
      var answer = Answer(
        problem: .overloaded(detail: "the server is starting or stopping", retryAfterSeconds: 1))
      // Who asks again shall ask another replica, and not keep this one from ending.
      answer.closesConnection = true
      return answer
    }
    return Self.json { $0.append("{\"status\":\"ready\"}\n") }
  }

  /// One of the archive's documents; or the work that waits until it is made.
  private func document(
    _ name: ArchiveDocuments.Name, of archive: CellArchive,
    as type: StaticString = OutputFormat.json.contentType, for head: borrowing RequestHead
  ) -> Answer {
    let work = DocumentWork(name, of: archive, in: documents, as: type, for: head)
    return work.answer() ?? .unmade(work)
  }

  private static func json(_ write: (inout ByteBuffer) -> Void) -> Answer {
    var body = ByteBuffer(capacity: 512)
    write(&body)
    return Answer(status: 200, contentType: OutputFormat.json.contentType, body: body)
  }
}
