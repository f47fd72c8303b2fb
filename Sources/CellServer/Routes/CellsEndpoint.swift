import Cells

extension Endpoint {
  /// `POST /cells/KIND`: an array of rows, one row, NDJSON, or form fields. `GET`: one row, the query's fields.
  static let cells = Endpoint(
    "/cells/{kind}", .all, takesQuery: true,
    description: EndpointDescription(
      name: "Cells", tag: .cells, summary: "Render rows of one kind",
      summaryOfGet: "Render one cell from the fields of the query",
      description:
        "A text cell has no html format, an HTML cell no text format; a format that the kind does not have is answered with 406.",
      answer: OpenAPIDocument.cellsAnswer(formats: RowFormats.all, isTagged: true), isTagged: true)
  ) { context, head, body, output, factory throws(Problem) in
    let rows = Batch.Content.data(kind: context.kind)
    let request =
      if head.method == .post {
        try RowsRequest(posted: rows, head, body.bytes, context)
      } else {
        try RowsRequest(queried: rows, head, &body, context) { factory.kind(context.kind, readsMember: $0) }
      }
    return try request.answer(in: &body, output, context, factory)
  }
}
