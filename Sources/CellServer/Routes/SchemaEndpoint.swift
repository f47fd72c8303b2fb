extension Endpoint {
  /// `GET /schemas/KIND`: the JSON Schema of a kind's data.
  static let schema = Endpoint(
    "/schemas/{kind}", .reading,
    description: EndpointDescription(
      name: "Schema", tag: .kinds, summary: "The JSON Schema of a kind's data",
      answer: OpenAPIDocument.answer(
        "A JSON Schema (2020-12) of a row.", "application/schema+json", "RowSchema", isTagged: true),
      isTagged: true, codes: [.unknownKind, .outputTooLarge])
  ) { context, head, _, _, _ in
    context.document(.schema(context.kind), as: "application/schema+json", for: head)
  }
}
