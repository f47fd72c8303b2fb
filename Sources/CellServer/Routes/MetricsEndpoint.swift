import CellTemplates

extension Endpoint {
  /// `GET /metrics`: a scrape. Its size grows with what has been asked for, not with what clients send: some ten kilobytes,
  /// and at most about 100 bytes for each kind with a label, route and status.
  static let metrics = Endpoint(
    "/metrics", .reading, isForOperators: true,
    description: EndpointDescription(
      name: "Metrics", tag: .operations, summary: "Metrics for Prometheus",
      answer: OpenAPIDocument.answer("Prometheus's text format.", "text/plain", "Text"))
  ) { context, _, _, _, _ in
    let metrics = context.service.metrics
    // So that every kind has its label before the first is asked for.
    _ = metrics.kinds.places(of: context.archive)
    var report = MetricsReport(of: metrics)
    report.write(archive: context.archive, isReady: context.service.readiness.isReady)
    return Answer(
      status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: report.take())
  }
}
