import CellTemplates
import Cells

extension Endpoint {
  /// `GET /cells.js`: the client element and functions for pages, as one module.
  static let clientScript = webFile(
    "/cells.js", WebFiles.script, type: "text/javascript", name: "ClientScript",
    summary: "The client element <cell-table>, as a module")
  /// `GET /cells.d.ts`: its types.
  static let clientTypes = webFile(
    "/cells.d.ts", WebFiles.types, type: "text/plain", name: "ClientTypes", summary: "The types of /cells.js")

  private static func webFile(
    _ path: StaticString, _ file: StoredFile, type: String, name: String, summary: String
  ) -> Endpoint {
    Endpoint(
      path, .reading, takesQuery: true, isPublic: true,
      description: EndpointDescription(
        name: name, tag: .web, summary: summary,
        answer: OpenAPIDocument.answer(
          "The file.", type, "Text", isTagged: true, headers: ["Cache-Control"]),
        parameters: ["version"], isTagged: true)
    ) { context, head, _, _, _ throws(Problem) in
      let query = try QueryFields(head.query, names: ["v"])
      return file.answer(head, version: query["v"], budget: context.budget)
    }
  }
}
