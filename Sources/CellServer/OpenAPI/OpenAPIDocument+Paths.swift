// Paths and their operations.
extension OpenAPIDocument {
  /// An endpoint of the document.
  struct Path {
    /// A kind is written as `{kind}`, any other end as `{path}`.
    var path: String
    /// In the order of the `Allow` header.
    var methods: [String]
    var description: EndpointDescription

    var hasKind: Bool { path.hasSuffix("{kind}") }
    /// The name of the parameter at its end, if there is one.
    var parameter: String? { ["kind", "path"].first { path.hasSuffix("{\($0)}") } }
  }

  static let jsonType = "application/json"

  static func item(_ path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = []
    if let name = path.parameter { members.append(("parameters", [reference("parameters", name)])) }
    for method in path.methods { members.append((method.lowercased(), operation(method, of: path))) }
    return .object(members)
  }

  private static func operation(_ method: String, of path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = [
      ("operationId", .string(method.lowercased() + path.description.name)),
      ("tags", [.string(path.description.tag.rawValue)]),
    ]
    let summary =
      switch method {
      case "OPTIONS": "The methods of this path"
      case "HEAD": "The head of the answer to GET"
      case "GET": path.description.summaryOfGet ?? path.description.summary
      default: path.description.summary
      }
    members.append(("summary", .string(summary)))
    if method != "OPTIONS", !path.description.description.isEmpty {
      members.append(("description", .string(path.description.description)))
    }
    members.append(
      ("parameters", .array(parameters(of: method, at: path).map { reference("parameters", $0) })))
    if method == "POST" { members.append(("requestBody", body(of: path))) }
    members.append(("responses", responses(to: method, at: path)))
    return .object(members)
  }

  private static func parameters(of method: String, at path: Path) -> [String] {
    guard path.description.tag == .cells, method != "OPTIONS" else {
      if method == "OPTIONS" { return ["requestID"] }
      return path.description.parameters + (path.description.isTagged ? ["ifNoneMatch"] : []) + ["requestID"]
    }
    let controls = ControlReader.Control.allCases.map(\.rawValue)
    return method == "POST"
      ? controls + ["acceptLanguage", "requestID"]
      : controls + ["data", "acceptLanguage", "ifNoneMatch", "requestID"]
  }

  private static func body(of path: Path) -> JSONNode {
    let rows = path.hasKind ? "Rows" : "Items"
    let lines = path.hasKind ? "RowLines" : "ItemLines"
    var content: [(String, JSONNode)] = [
      (jsonType, schema(rows)), ("application/x-ndjson", schema(lines)), ("application/jsonl", schema(lines)),
    ]
    if path.hasKind { content.append(("application/x-www-form-urlencoded", schema("Fields"))) }
    return [
      "description": .string(
        "Types that end in +json are read as application/json, in UTF-8. "
          + (path.hasKind
            ? "Without a type, or with the form type, a body that starts with [ or { is JSON; an empty body is one row without data."
            : "Without a type, or with the form type, the body must start with [ or {.")),
      "required": .bool(!path.hasKind),
      "content": .object(content),
    ]
  }

  private static func responses(to method: String, at path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = []
    switch method {
    case "OPTIONS":
      members.append(
        ("204", described("The methods, in Allow.", commonHeaders + ["Allow", "Vary"] + crossOriginHeaders)))
    case "HEAD": members.append(("200", withoutContent(path.description.answer)))
    case "POST":
      members.append(
        (
          "200",
          path.hasKind
            ? cellsAnswer(formats: RowFormats.all, isTagged: false) : path.description.answer
        ))
    default: members.append(("200", path.description.answer))
    }
    if path.description.isTagged, method == "GET" || method == "HEAD" {
      members.append(("304", unchanged(path.description.answer)))
    }
    for status in statuses(of: method, at: path) {
      members.append(
        (String(status), reference("responses", method == "HEAD" ? "\(status)-head" : "\(status)")))
    }
    return .object(members)
  }

  /// The statuses of the problems that a request may get.
  private static func statuses(of method: String, at path: Path) -> [Int] {
    var codes: [Problem.Code] = [.badRequest, .bodyTooLarge, .headTooLarge, .internal, .overloaded]
    codes += path.description.codes
    if path.description.tag == .cells {
      if path.hasKind { codes.append(.unknownKind) }
      if method != "OPTIONS" { codes += [.notAcceptable, .invalidRow] }
      if method == "POST" { codes += [.lengthRequired, .unsupportedMediaType] }
    }
    return Set(codes.map(\.status)).sorted()
  }

  static func reference(_ section: String, _ name: String) -> JSONNode {
    ["$ref": .string("#/components/\(section)/\(name)")]
  }

  static func schema(_ name: String) -> JSONNode { ["schema": reference("schemas", name)] }
}
