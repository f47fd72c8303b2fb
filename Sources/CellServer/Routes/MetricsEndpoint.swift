import CellTemplates

extension Endpoint {
  /// `GET /metrics`: a Prometheus scrape. Its size depends on what was requested, not on what clients send:
  /// some ten to twenty kilobytes, plus some 100 bytes, and the kind's name, for each combination of labeled kind, route and status.
  static let metrics = Endpoint(
    "/metrics", .reading, isForOperators: true,
    description: EndpointDescription(
      name: "Metrics", tag: .operations, summary: "Metrics for Prometheus",
      answer: OpenAPIDocument.answer("Prometheus's text format.", "text/plain", "Text"))
  ) { context, _, _, _, _ in
    let metrics = context.service.metrics
    // Gives every kind its label before the first request for it.
    _ = metrics.kinds.positions(of: context.archive)
    let report = MetricsReport(
      of: metrics, archive: context.archive, documentBytes: context.service.documents.heldBytes,
      isReady: context.service.readiness.isReady)
    return MetricsWork.answer(report, budget: context.budget)
  }
}
