import Cells

extension Endpoint {
  /// `POST /cells`: items of any kind, as an array, an envelope, a single item, or NDJSON.
  static let mixedCells = Endpoint(
    "/cells", .posting, takesQuery: true,
    description: EndpointDescription(
      name: "MixedCells", tag: .cells, summary: "Render rows of any kinds",
      description: "The items are rendered in order. One bad row refuses the request, unless on_error=skip.",
      answer: OpenAPIDocument.cellsAnswer(formats: RowFormats.all, isTagged: false))
  ) { context, head, body, output, factory throws(Problem) in
    let request = try RowsRequest(posted: .items, head, body.bytes, context)
    if request.type == .form { throw BodyType.formProblem }
    return try request.answer(in: &body, output, context, factory)
  }
}
