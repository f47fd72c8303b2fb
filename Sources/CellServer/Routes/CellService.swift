package import Cells
package import CellTemplates

/// Answers requests: routes them to an endpoint, which returns the answer or the work that makes it.
package final class CellService: RequestHandler {
  let settings: RowSettings
  let readiness: Readiness
  /// Called with a description of each requested kind, or nib and class, that does not exist. Called on the
  /// worker's thread.
  let onUnknownKind: (@Sendable (String) -> Void)?
  /// The metrics that `/metrics` reports: those of the server that uses this service.
  let metrics: Metrics
  let documents: ArchiveDocuments
  /// Whether answers to a request may show sample rows.
  let maySeeSamples: @Sendable (borrowing RequestHead) -> Bool
  private let endpoints: [Endpoint]

  /// - Parameter more: endpoints besides those of every server.
  package init(
    settings: RowSettings = RowSettings(), readiness: Readiness, metrics: Metrics = Metrics(),
    documents: ArchiveDocuments = ArchiveDocuments(), more: [Endpoint] = [],
    maySeeSamples: @escaping @Sendable (borrowing RequestHead) -> Bool = { _ in true },
    onUnknownKind: (@Sendable (String) -> Void)? = nil
  ) {
    endpoints = Endpoints.all + more
    self.settings = settings
    self.readiness = readiness
    self.metrics = metrics
    self.documents = documents
    self.maySeeSamples = maySeeSamples
    self.onUnknownKind = onUnknownKind
  }

  package func answer(
    _ head: borrowing RequestHead, body: inout ByteBuffer, output: consuming ByteBuffer, budget: MemoryBudget,
    factory: isolated CellFactory
  ) -> Answer {
    var subject = RequestSubject(route: .other)
    var isPublic = false
    do throws(Problem) {
      let position = try Endpoints.position(of: head.target, in: endpoints)
      let endpoint = endpoints[position]
      isPublic = endpoint.isPublic
      subject.route = RouteLabel(position: position)
      subject.isProbe = endpoint.isProbe
      let archive = factory.archive
      var kind: UInt32 = 0
      if endpoint.namesKind {
        let statistics = budget.statistics
        subject.kind = statistics.kinds.unknown
        kind = try number(ofKind: endpoint.tail(of: head.target), in: archive)
        subject.kind = statistics.position(ofKind: kind, in: archive)
      }
      var answer: Answer
      if head.method == .options {
        answer = Answer(status: 204, headers: [("Allow", endpoint.methods.names.joined(separator: ", "))])
      } else {
        try endpoint.check(head.method)
        if !endpoint.takesQuery { try Controls.refuse(query: head.query) }
        let context = EndpointContext(
          service: self, archive: archive, kind: kind,
          tail: endpoint.takesPath ? endpoint.tail(of: head.target) : "", budget: budget)
        answer = try endpoint.answer(context, head, &body, output, factory)
      }
      answer.subject = subject
      answer.isPublic = isPublic
      return answer
    } catch {
      budget.overload.note(refusedContent: error)
      var answer = Answer(problem: error)
      if error.code == .notAcceptable { answer.varies = .accept }
      answer.subject = subject
      answer.isPublic = isPublic
      return answer
    }
  }

  package func noteAdoption(of archive: CellArchive) { documents.forgetAll(but: archive) }

  package func isNeverOverdue(_ head: borrowing RequestHead) -> Bool {
    guard let position = try? Endpoints.position(of: head.target, in: endpoints) else { return false }
    return endpoints[position].isForOperators
  }

  package func isProbe(_ head: borrowing RequestHead) -> Bool {
    guard let position = try? Endpoints.position(of: head.target, in: endpoints) else { return false }
    return endpoints[position].isProbe
  }

  /// The number of a kind. Throws `.unknownKind`.
  func number(ofKind name: String, in archive: CellArchive) throws(Problem) -> UInt32 {
    if let number = archive.kindNumber(name) { return number }
    onUnknownKind?(Excerpt.quoted(name))
    throw Problem(.unknownKind, detail: ItemReader.unknownKindDetail(name, in: archive))
  }
}
