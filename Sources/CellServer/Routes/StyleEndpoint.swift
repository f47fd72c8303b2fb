import CellTemplates
import Cells

extension Endpoint {
  /// `GET /styles/NIB.css`: the style sheet of one nib.
  static let style = Endpoint(
    "/styles/{path}", .reading, takesQuery: true, isPublic: true,
    description: EndpointDescription(
      name: "Style", tag: .web, summary: "The style sheet of a nib",
      description: "The path is the nib's name with the ending .css.",
      answer: OpenAPIDocument.answer(
        "The nib's stylesheet links as @import, then its style elements.", "text/css", "Text", isTagged: true,
        headers: ["Cache-Control"]),
      parameters: ["scope", "version"], isTagged: true, codes: [.notFound, .outputTooLarge])
  ) { context, head, _, _, _ throws(Problem) in
    let query = try QueryFields(head.query, names: ["scope", "v"])
    let scope = try scope(query)
    guard let nib = nib(at: context.tail, in: context.archive) else {
      throw Problem(
        .notFound,
        detail:
          "there is no nib with the style sheet \(Excerpt.quoted(context.tail)); the path is /styles/NIB.css")
    }
    let version = context.archive.styleVersions.version(ofNib: nib)
    return context.document(
      .style(nib: nib, scope: scope), as: AssetType.css.contentType,
      cacheControl: StoredFile.cacheControl(version: query["v"], of: version), for: head)
  }

  /// The nib whose style sheet has this path below `/styles/`.
  private static func nib(at path: String, in archive: CellArchive) -> Int? {
    guard path.hasSuffix(".css") else { return nil }
    return archive.nib(named: String(path.dropLast(4)))
  }
}
