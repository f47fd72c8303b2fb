extension Endpoint {
  /// `GET /kinds`: describes every kind.
  static let kinds = Endpoint(
    "/kinds", .reading,
    description: EndpointDescription(
      name: "Kinds", tag: .kinds, summary: "Describe every kind",
      answer: OpenAPIDocument.answer(
        "Every kind, sorted by name.", OpenAPIDocument.jsonType, "KindList",
        links: OpenAPIDocument.kindLinks, isTagged: true),
      isTagged: true, codes: [.outputTooLarge])
  ) { context, head, _, _, _ in
    context.document(.kinds, for: head)
  }
}
