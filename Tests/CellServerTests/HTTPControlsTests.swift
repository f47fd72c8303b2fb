import CellTemplates
import Cells
import Testing

@testable import CellServer

@Suite struct HTTPControlsTests {
  private func controls(
    format: RowFormat? = nil, fields: RowFields = .standard, onError: Controls.OnError = .fail,
    missing: MissingPolicy? = nil
  ) -> Controls {
    var controls = Controls()
    controls.format = format
    controls.fields = fields
    controls.onError = onError
    controls.missing = missing
    return controls
  }

  @Test func areReadFromAQuery() throws {
    let rows: [(String?, Controls)] = [
      (nil, controls()),
      ("", controls()),
      ("&&", controls()),
      ("format=html", controls(format: .html)),
      ("format=json", controls(format: .json)),
      ("format=ndjson", controls(format: .ndjson)),
      ("format=text", controls(format: .text)),
      ("form%61t=%6Ason", controls(format: .json)),
      ("fields=html", controls(fields: .html)),
      ("fields=text", controls(fields: .html)),
      ("fields=etag,html,text,html", controls(fields: [.html, .etag])),
      ("fields=class%2Cnib,outlets,actions", controls(fields: [.class, .nib, .outlets, .actions])),
      ("on_error=fail", controls()),
      ("on_error=skip", controls(onError: .skip)),
      ("missing=keep", controls(missing: .keep)),
      ("missing=blank", controls(missing: .blank)),
      (
        "missing=error&on_error=skip&format=json&fields=nib",
        controls(format: .json, fields: .nib, onError: .skip, missing: .error)
      ),
    ]
    for (query, expected) in rows {
      #expect(try Controls(query: query) == expected, "\(query ?? "no query")")
      var data = ByteBuffer()
      #expect(
        try Controls(query: query, depthLimit: 512, fieldLimit: 10, data: &data) == expected,
        "\(query ?? "no query")")
      let json = data.description
      #expect(json == "{}")
    }
  }

  @Test(arguments: [
    "format", "format=", "format=xml", "format=HTML", "format=json+", "format=application/json",
    "format=html,json",
    "fields", "fields=", "fields=html,", "fields=,", "fields=html,+etag", "fields=HTML", "fields=id",
    "fields=all",
    "on_error=", "on_error=Skip", "on_error=stop", "missing=", "missing=none", "missing=null",
    "format=json&format=json", "format=json&form%61t=html", "fields=html&fields=etag",
    "on_error=skip&on_error=fail",
    "missing=keep&missing=keep", "format=%", "format=%zz", "format=js%FFon", "format.x=1", "format.=1",
    "missing..a=1",
    "%zz=1", "%FF=1", "=json", ".format=json", "format=json&%=",
  ])
  func refuseUnknownValues(_ query: String) {
    #expect(code { _ = try Controls(query: query) } == .badRequest)
    #expect(codeWithData(query) == .badRequest)
  }

  @Test(arguments: [
    "title=Hi", "format=json&title=Hi", "Format=json", "kind=news", "on-error=skip", "formats", "%00",
  ])
  func ofARequestWithABodyStandAlone(_ query: String) {
    #expect(code { _ = try Controls(query: query) } == .badRequest)
  }

  @Test(arguments: [
    ("title=Hi&format=json&author.name=Ada", #"{"title":"Hi","author":{"name":"Ada"}}"#),
    ("Format=x&fields=nib", #"{"Format":"x"}"#),
    ("a.format=json&format=json", #"{"a":{"format":"json"}}"#),
    ("format%2Ex=1&format=json", #"{"format.x":"1"}"#),
    ("+format=1", #"{" format":"1"}"#),
    ("a=1&a=2", #"{"a":["1","2"]}"#),
  ])
  func areTakenOutOfTheData(_ query: String, _ expected: String) throws {
    var data = ByteBuffer()
    _ = try Controls(query: query, depthLimit: 512, fieldLimit: 10, data: &data)
    let json = data.description
    #expect(json == expected)
  }

  @Test func dataInAQueryIsBoundedInNumber() {
    #expect(codeWithData("a=1&b=1&&&&&&&&&&") == nil)
    #expect(codeWithData((0...10).map { "a\($0)=1" }.joined(separator: "&")) == .bodyTooLarge)
  }

  @Test func dataInAQueryIsBoundedInDepth() {
    #expect(codeWithData("a.b=1", depthLimit: 1) == .tooDeep)
    #expect(codeWithData("a.b=1", depthLimit: 2) == nil)
  }

  @Test(
    arguments: [(nil, nil), ("", nil), ("&", nil), ("format=json", 400), ("x", 400), ("=", 400), ("%", 400)]
      as [(String?, Int?)])
  func aRouteWithoutControlsRefusesAnyName(_ query: String?, _ status: Int?) {
    #expect(code { try Controls.refuse(query: query) }?.status == status)
  }

  private func codeWithData(_ query: String, depthLimit: Int = 512) -> Problem.Code? {
    code {
      var data = ByteBuffer()
      _ = try Controls(query: query, depthLimit: depthLimit, fieldLimit: 10, data: &data)
    }
  }

  private func code(_ body: () throws -> Void) -> Problem.Code? {
    do { try body() } catch { return (error as? Problem)?.code }
    return nil
  }
}
