import CellServer
import Foundation
import Testing

/// `GET /openapi.json` compared with the tables and with the service itself.
@Suite struct OpenAPITests {
  static func document(_ target: any HTTPTarget) async throws -> [String: Any] {
    let answer = try await target.ask(.get("/openapi.json", ["Accept": "image/png"]))
    #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
    return try #require(answer.json() as? [String: Any])
  }

  static func part(_ document: [String: Any], _ path: String...) throws -> [String: Any] {
    try path.reduce(document) { try #require($0[$1] as? [String: Any], "\($1)") }
  }

  @Test(arguments: Way.allCases) func theMethodsOfEachPath(way: Way) async throws {
    let target = try way.target()
    let paths = try Self.part(try await Self.document(target), "paths")
    for (path, item) in paths {
      let described = Set(try #require(item as? [String: Any]).keys.filter { $0 != "parameters" })
      let answer = try await target.ask(
        TestRequest("OPTIONS", path.replacing("{kind}", with: "plain")))
      let allowed = (answer["Allow"] ?? "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces).lowercased()
      }
      #expect(answer.status == 204 && described == Set(allowed), "\(path)")
    }
    #expect(
      Set(paths.keys) == [
        "/cells", "/cells/{kind}", "/kinds", "/kinds/{kind}", "/schemas/{kind}", "/cells.js", "/cells.d.ts",
        "/styles.css",
        "/styles/{path}", "/assets/{path}", "/livez", "/readyz",
        "/metrics",
        "/openapi.json",
      ])
  }

  /// For every code, its status, and its problem among the answers referenced by some operation.
  @Test func everyCode() async throws {
    let document = try await Self.document(try Way.inProcess.target())
    let text = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
    for code in Problem.Code.allCases {
      let status = String(code.status)
      let answer = try Self.part(document, "components", "responses", status)
      let type = try Self.part(
        answer, "content", "application/problem+json", "schema", "properties", "type")
      #expect((type["enum"] as? [String])?.contains(code.urn) == true, "\(code)")
      // No operation has the error for a method that a path does not have.
      let isReferred = text.contains("responses\\/\(status)\"")
      #expect(isReferred != (code == .methodNotAllowed), "\(code)")
    }
  }

  @Test func referencesAreValid() async throws {
    let document = try await Self.document(try Way.inProcess.target())
    var count = 0
    func walk(_ value: Any) {
      if let list = value as? [Any] { list.forEach(walk) }
      guard let object = value as? [String: Any] else { return }
      if let reference = object["$ref"] as? String {
        count += 1
        let found = reference.split(separator: "/").dropFirst().reduce(document as Any?) {
          ($0 as? [String: Any])?[String($1)]
        }
        #expect(found != nil, "\(reference)")
      }
      object.values.forEach(walk)
    }
    walk(document)
    #expect(count > 100)
  }

  @Test func theKinds() async throws {
    let document = try await Self.document(try Way.inProcess.target())
    let kind = try Self.part(document, "components", "schemas", "Kind")
    #expect(kind["enum"] as? [String] == ServiceTemplates.kinds && kind["pattern"] == nil)
  }

  /// The document stays small, and every name still matches.
  @Test func manyKindsAreNotListed() async throws {
    let target = try Way.inProcess.target {
      $0.templates = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("k/\($0).mustache", "x") })
    }
    let answer = try await target.ask(.get("/openapi.json"))
    let few = try await Way.inProcess.target().ask(.get("/openapi.json"))
    #expect(answer.body.count < few.body.count)
    let document = try #require(answer.json() as? [String: Any])
    let kind = try Self.part(document, "components", "schemas", "Kind")
    let pattern = try Regex(try #require(kind["pattern"] as? String))
    #expect(
      kind["enum"] == nil && "k/9999".wholeMatch(of: pattern) != nil && "k//1".wholeMatch(of: pattern) == nil)
  }

  /// Answers with as many headers as there are, and what the description says of these.
  @Test(arguments: [
    ("/assets/{path}", "/assets/n.css"), ("/cells.js", "/cells.js"), ("/cells/{kind}", "/cells/n"),
    ("/kinds", "/kinds"), ("/livez", "/livez"),
  ])
  func theHeaders(template: String, path: String) async throws {
    var origins = AllowedOrigins()
    try origins.add(ServiceOriginTests.listed)
    let target = try Way.inProcess.target { [origins] setup in
      setup.templates["n.html"] =
        "<link rel=stylesheet href=n.css><p data-cell=n data-raw=allow>{{{a}}}<b data-outlet=b data-format=number>1</b></p>"
      setup.files = ["n.css": ".a {}"]
      setup.server.origins = origins
    }
    let document = try await Self.document(target)
    let framing: Set = ["content-type", "content-length", "date", "connection", "transfer-encoding"]
    for (method, hasTag) in [
      ("GET", false), ("HEAD", false), ("GET", true), ("HEAD", true), ("OPTIONS", false),
    ] {
      var request = TestRequest(method, path, ["Origin": ServiceOriginTests.listed])
      if hasTag { request.headers.append(("If-None-Match", "*")) }
      let answer = try await target.send(request)
      let described = try Self.part(
        document, "paths", template, method.lowercased(), "responses", "\(answer.status)", "headers")
      for header in answer.headers where !framing.contains(header.name.lowercased()) {
        #expect(described[header.name] != nil, "\(method) \(header.name)")
        let schema = try Self.part(document, "components", "headers", header.name, "schema")
        let values = schema["enum"] as? [String] ?? (schema["const"] as? String).map { [$0] }
        #expect(values?.contains(header.value) != false, "\(method) \(header.name)")
      }
    }
  }

  @Test func theControls() async throws {
    let document = try await Self.document(try Way.inProcess.target())
    let target = try Way.inProcess.target()
    for name in ["format", "on_error", "missing"] {
      let schema = try Self.part(document, "components", "parameters", name, "schema")
      for value in try #require(schema["enum"] as? [String]) {
        let position = value == "turbo-stream" ? "&action=append&target=x" : ""
        let answer = try await target.ask(.post("/cells/plain?\(name)=\(value)\(position)", "{\"title\":1}"))
        #expect(answer.status == (value == "text" ? 406 : 200), "\(name)=\(value)")
      }
    }
    let fields = try Self.part(document, "components", "parameters", "fields", "schema", "items")
    for value in try #require(fields["enum"] as? [String]) {
      #expect(try await target.ask(.post("/cells/plain?fields=\(value)", "{}")).status == 200, "\(value)")
    }
  }

  @Test func aQueryIsRefused() async throws {
    #expect(try await Way.inProcess.target().ask(.get("/openapi.json?x=1")).problem()?.code == "bad-request")
  }
}
