extension Endpoint {
  /// `GET /readyz`: whether the server welcomes new requests.
  static let readiness = Endpoint(
    "/readyz", .reading, isForOperators: true, isProbe: true,
    description: EndpointDescription(
      name: "Readiness", tag: .operations, summary: "Whether the server accepts requests",
      description: "503 while the server starts or stops.",
      answer: OpenAPIDocument.answer("It is.", OpenAPIDocument.jsonType, "Ready"))
  ) { context, _, _, _, _ in
    if context.service.readiness.isReady {
      // Old cells are better than none: a replica whose reload has failed stays in service.
      return context.service.metrics.reloads.lastWasSuccessful
        ? .json("{\"status\":\"ready\"}\n") : .json("{\"status\":\"ready\",\"reload\":\"failed\"}\n")
    }
    var answer = Answer(
      problem: .overloaded(detail: "the server is starting or stopping", retryAfterSeconds: 1))
    // The next check should reach another replica, and not keep this one from stopping.
    answer.closesConnection = true
    return answer
  }
}
