extension Endpoint {
  /// `GET /openapi.json`: the API description.
  static let openAPI = Endpoint(
    "/openapi.json", .reading,
    description: EndpointDescription(
      name: "OpenAPI", tag: .operations, summary: "This document",
      answer: OpenAPIDocument.answer(
        "A document of OpenAPI 3.1.", OpenAPIDocument.jsonType, "OpenAPI", isTagged: true),
      isTagged: true, codes: [.outputTooLarge])
  ) { context, head, _, _, _ in
    context.document(.openapi, for: head)
  }
}
