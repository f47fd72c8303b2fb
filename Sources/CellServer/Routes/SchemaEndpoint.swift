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
    let name: ArchiveDocuments.Name = isStrict ? .strictSchema(context.kind) : .schema(context.kind)
    return context.document(name, as: "application/schema+json", for: head)
  }

  /// The value of `strict`, the only parameter of schemas. Throws `.badRequest` for anything but `true` and `false`.
  private static func isStrict(query: String?) throws(Problem) -> Bool {
    guard let query else { return false }
    let view = query.utf8
    let text = view.span
    var pairs = FormPairs()
    var strict: Bool?
    while let pair = pairs.next(in: text) {
      if pair.isEmpty { continue }
      let value: Bool? =
        switch (try? PercentDecoding.string(text, pair.name, plusIsSpace: true)) == "strict"
          ? try? PercentDecoding.string(text, pair.value, plusIsSpace: true) : nil
        {
        case "true": true
        case "false": false
        default: nil
        }
      guard let value, strict == nil else {
        throw Problem(
          .badRequest,
          detail:
            "\(FormFields.name(pair, text)) is wrong in this query: this path accepts strict=true or strict=false, once"
        )
      }
      strict = value
    }
    return strict ?? false
  }
}
