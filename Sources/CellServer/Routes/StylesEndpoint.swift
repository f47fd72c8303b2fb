import CellTemplates
import Cells

extension Endpoint {
  /// `GET /styles.css`: imports the style sheets of all nibs, or of those that kinds are drawn with.
  static let styles = Endpoint(
    "/styles.css", .reading, takesQuery: true, isPublic: true,
    description: EndpointDescription(
      name: "Styles", tag: .web, summary: "Import the style sheets of nibs",
      description:
        "The sheets of the nibs that the kinds, and those that they call, are drawn in; without kinds, of all nibs.",
      answer: OpenAPIDocument.answer(
        "A style sheet.", "text/css", "Text", isTagged: true,
        headers: ["Cache-Control"]),
      parameters: ["kinds", "scope", "version"], isTagged: true, codes: [.unknownKind, .outputTooLarge])
  ) { context, head, _, _, _ throws(Problem) in
    let query = try QueryFields(head.query, names: ["kinds", "scope", "v"])
    let kinds = try query["kinds"].map { list throws(Problem) in try numbers(ofKinds: list, context) }
    return context.document(
      .styles(kinds: kinds, scope: try scope(query)), as: AssetType.css.contentType,
      cacheControl: StoredFile.cacheControl(version: query["v"], of: context.archive.styleVersions.all),
      for: head)
  }

  /// The numbers of kinds in a list of names, sorted.
  private static func numbers(ofKinds list: String, _ context: EndpointContext) throws(Problem) -> [UInt32] {
    var numbers: Set<UInt32> = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      numbers.insert(try context.service.number(ofKind: String(name), in: context.archive))
    }
    return numbers.sorted()
  }

  /// The scope that a query names; nil if there is none.
  static func scope(_ query: QueryFields) throws(Problem) -> String? {
    guard let scope = query["scope"] else { return nil }
    if let fault = ScopeSelector.fault(in: scope) {
      throw Problem(.badRequest, detail: "scope \(fault)")
    }
    return scope
  }
}
