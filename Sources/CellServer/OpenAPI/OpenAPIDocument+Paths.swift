// Paths and their operations.
extension OpenAPIDocument {
  /// What stands at one path.
  struct Path {
    var path: String
    /// Any target at that path: its methods are the path's.
    var route: Route
    /// The end of each operation's id, and what it is about.
    var name: String
    var tag: String
    var summary: String
    var description = ""
    /// Of the answer to GET.
    var answer: JSONNode
    /// What a request may be refused with beside the codes of every request.
    var codes: [Problem.Code] = []

    var hasKind: Bool { path.hasSuffix("{kind}") }
    /// Whether answers to GET and HEAD have a tag.
    var isTagged: Bool { tag != "operations" || path == "/openapi.json" }
  }

  static let paths: [Path] = [
    Path(
      path: "/cells", route: .cells, name: "MixedCells", tag: "cells", summary: "Render rows of any kinds",
      description: "The items are drawn in order. One bad row refuses the request, but for on_error=skip.",
      answer: cellsAnswer(formats: OutputFormat.ofBatch, isTagged: false)),
    Path(
      path: "/cells/{kind}", route: .cellsOf(kind: ""), name: "Cells", tag: "cells",
      summary: "Render rows of one kind",
      description:
        "A text cell is never html, and an HTML cell never text: a format that the kind has not is 406.",
      answer: cellsAnswer(formats: OutputFormat.allCases, isTagged: true)),
    Path(
      path: "/kinds", route: .kinds, name: "Kinds", tag: "kinds", summary: "Describe every kind",
      answer: answer("Every kind, sorted by name.", jsonType, "KindList", links: kindLinks, isTagged: true)),
    Path(
      path: "/kinds/{kind}", route: .kind(""), name: "Kind", tag: "kinds", summary: "Describe a kind",
      answer: answer(
        "The kind.", jsonType, "KindDescription", links: kindLinks(at: "/kind"), isTagged: true),
      codes: [.unknownKind]),
    Path(
      path: "/schemas/{kind}", route: .schema(kind: ""), name: "Schema", tag: "kinds",
      summary: "The JSON Schema of the data that a kind takes",
      answer: answer(
        "A JSON Schema (2020-12) of a row.", "application/schema+json", "RowSchema", isTagged: true),
      codes: [.unknownKind]),
    Path(
      path: "/livez", route: .livez, name: "Liveness", tag: "operations",
      summary: "Whether the process lives",
      answer: answer("It does.", jsonType, "Live")),
    Path(
      path: "/readyz", route: .readyz, name: "Readiness", tag: "operations",
      summary: "Whether the server wants requests",
      description: "503 while it starts and while it stops.", answer: answer("It does.", jsonType, "Ready")),
    Path(
      path: "/metrics", route: .metrics, name: "Metrics", tag: "operations",
      summary: "Metrics for Prometheus",
      answer: answer("Prometheus's text format.", "text/plain", "Text")),
    Path(
      path: "/openapi.json", route: .openapi, name: "OpenAPI", tag: "operations", summary: "This document",
      answer: answer("A document of OpenAPI 3.1.", jsonType, "OpenAPI", isTagged: true)),
  ]

  static let jsonType = "application/json"

  static func item(_ path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = []
    if path.hasKind { members.append(("parameters", [reference("parameters", "kind")])) }
    for method in path.route.methods { members.append((method.lowercased(), operation(method, of: path))) }
    return .object(members)
  }

  private static func operation(_ method: String, of path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = [
      ("operationId", .string(method.lowercased() + path.name)), ("tags", [.string(path.tag)]),
    ]
    let summary =
      switch method {
      case "OPTIONS": "The methods of this path"
      case "HEAD": "The head of the answer to GET"
      case "GET" where path.route == .cellsOf(kind: ""): "Render one cell from the fields of the query"
      default: path.summary
      }
    members.append(("summary", .string(summary)))
    if method != "OPTIONS", !path.description.isEmpty {
      members.append(("description", .string(path.description)))
    }
    members.append(
      ("parameters", .array(parameters(of: method, at: path).map { reference("parameters", $0) })))
    if method == "POST" { members.append(("requestBody", body(of: path))) }
    members.append(("responses", responses(to: method, at: path)))
    return .object(members)
  }

  private static func parameters(of method: String, at path: Path) -> [String] {
    guard path.tag == "cells", method != "OPTIONS" else {
      return path.isTagged && method != "OPTIONS" ? ["ifNoneMatch", "requestID"] : ["requestID"]
    }
    let controls = ControlReader.Control.allCases.map(\.rawValue)
    return method == "POST" ? controls + ["requestID"] : controls + ["data", "ifNoneMatch", "requestID"]
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
            ? "Without a type, or as a form, what begins with [ or { is JSON; no body is one row without data."
            : "Without a type, or as a form, it has to begin with [ or {.")),
      "required": .bool(!path.hasKind),
      "content": .object(content),
    ]
  }

  private static func responses(to method: String, at path: Path) -> JSONNode {
    var members: [(String, JSONNode)] = []
    switch method {
    case "OPTIONS":
      members.append(
        ("204", described("The methods, in Allow.", commonHeaders + ["Allow"] + crossOriginHeaders)))
    case "HEAD": members.append(("200", withoutContent(path.answer)))
    case "POST":
      members.append(
        ("200", path.hasKind ? cellsAnswer(formats: OutputFormat.allCases, isTagged: false) : path.answer))
    default: members.append(("200", path.answer))
    }
    if path.isTagged, method == "GET" || method == "HEAD" {
      members.append(
        (
          "304",
          described(
            "If-None-Match names the answer's tag.",
            commonHeaders + ["Vary", "ETag", "Content-Security-Policy"])
        ))
    }
    for status in statuses(of: method, at: path) {
      members.append(
        (String(status), reference("responses", method == "HEAD" ? "\(status)-head" : "\(status)")))
    }
    return .object(members)
  }

  /// The statuses of the problems that a request may be answered with.
  private static func statuses(of method: String, at path: Path) -> [Int] {
    var codes: [Problem.Code] = [.badRequest, .bodyTooLarge, .headTooLarge, .internal, .overloaded]
    codes += path.codes
    if path.tag == "cells" {
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
