extension Endpoint {
  /// `GET /schemas/KIND`: the JSON Schema of a kind's data; with `?strict=true`, as its samples show it.
  static let schema = Endpoint(
    "/schemas/{kind}", .reading, takesQuery: true,
    description: EndpointDescription(
      name: "Schema", tag: .kinds, summary: "The JSON Schema of a kind's data",
      answer: OpenAPIDocument.answer(
        "A JSON Schema (2020-12) of a row.", "application/schema+json", "RowSchema", isTagged: true),
      parameters: ["strict"], isTagged: true, codes: [.unknownKind, .outputTooLarge])
  ) { context, head, _, _, _ throws(Problem) in
    let isStrict = try isStrict(query: head.query)
    let hasExamples = context.service.maySeeSamples(head)
    let name: ArchiveDocuments.Name =
      isStrict
      ? .strictSchema(context.kind, hasExamples: hasExamples)
      : .schema(context.kind, hasExamples: hasExamples)
    return context.document(name, as: "application/schema+json", for: head)
  }

  /// The value of `strict`, the only parameter of schemas.
  private static func isStrict(query: String?) throws(Problem) -> Bool {
    switch try QueryFields(query, names: ["strict"])["strict"] {
    case nil, "false"?: return false
    case "true"?: return true
    case _?: throw Problem(.badRequest, detail: "strict must be true or false")
    }
  }
}
