extension Endpoint {
  /// `GET /kinds/KIND`: describes one kind.
  static let kind = Endpoint(
    "/kinds/{kind}", .reading,
    description: EndpointDescription(
      name: "Kind", tag: .kinds, summary: "Describe a kind",
      answer: OpenAPIDocument.answer(
        "The kind.", OpenAPIDocument.jsonType, "KindDescription",
        links: OpenAPIDocument.kindLinks(at: "/kind"), isTagged: true),
      isTagged: true, codes: [.unknownKind, .outputTooLarge])
  ) { context, head, _, _, _ in
    context.document(.kind(context.kind), for: head)
  }
}
