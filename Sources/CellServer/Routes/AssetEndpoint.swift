import CellTemplates
import Cells

extension Endpoint {
  /// `GET /assets/PATH`: a file that a nib links to. It is looked up among those of the archive; no path is opened.
  static let asset = Endpoint(
    "/assets/{path}", .reading, takesQuery: true, isPublic: true,
    description: EndpointDescription(
      name: "Asset", tag: .web, summary: "A style sheet, image or font that a nib links to",
      answer: OpenAPIDocument.described(
        "The file, with its own type.",
        OpenAPIDocument.commonHeaders + [
          "Vary", "Content-Encoding", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "ETag",
          "Cache-Control", "Content-Security-Policy",
        ]),
      parameters: ["version"],
      isTagged: true, codes: [.notFound])
  ) { context, head, _, _, _ throws(Problem) in
    let query = try QueryFields(head.query, names: ["v"])
    guard let number = context.archive.asset(at: context.tail) else {
      throw Problem(
        .notFound,
        detail: "no nib links to a style sheet, image or font with this path in the templates folder")
    }
    return StoredFile(asset: number, of: context.archive).answer(
      head, version: query["v"],
      headers: [("Content-Security-Policy", Answer.sandboxOfFiles)], budget: context.budget)
  }
}
