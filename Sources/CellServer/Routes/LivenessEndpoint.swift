import Cells

extension Endpoint {
  /// `GET /livez`: whether the process is alive.
  static let liveness = Endpoint(
    "/livez", .reading, isForOperators: true, isProbe: true,
    description: EndpointDescription(
      name: "Liveness", tag: .operations, summary: "Whether the process is alive",
      answer: OpenAPIDocument.answer("It is.", OpenAPIDocument.jsonType, "Live"))
  ) { _, _, _, _, _ in
    .json("{\"status\":\"live\"}\n")
  }
}

extension Answer {
  /// An answer with a constant line of JSON.
  static func json(_ text: StaticString) -> Answer {
    var body = ByteBuffer(capacity: 512)
    body.append(text)
    return Answer(status: 200, contentType: RowFormat.json.contentType, body: body)
  }
}
