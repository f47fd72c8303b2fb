import CellServer
import Cells
import Testing

/// Data of a shape that cannot be right gets an error that says what to send instead.
@Suite struct ServiceShapeTests {
  static let bodies: [ServiceCase] = [
    ServiceCase(
      "a body on GET", TestRequest("GET", "/cells/plain?title=a", body: Array("{}".utf8)),
      .problem("bad-request")),
    ServiceCase(
      "on a document", TestRequest("GET", "/kinds", body: Array("x".utf8)), .problem("bad-request")),
  ]

  static let fields: [ServiceCase] = [
    ServiceCase(
      "JSON in a field", .form("/cells/dot", "n:=19.90&l:=[1,{}]&s=:="),
      .html(#"<b>{&quot;n&quot;:19.90,&quot;l&quot;:[1,{}],&quot;s&quot;:&quot;:=&quot;}</b>"#)),
    ServiceCase(
      "an encoded colon", .form("/cells/dot", "a.b%3a=true"),
      .html("<b>{&quot;a&quot;:{&quot;b&quot;:true}}</b>")),
    ServiceCase(
      "repeated", .form("/cells/dot", "a:=[1]&a=2&a:=null"),
      .html("<b>{&quot;a&quot;:[[1],&quot;2&quot;,null]}</b>")),
    ServiceCase("in a query", .get("/cells/dot?a:=%5B1%5D"), .html("<b>{&quot;a&quot;:[1]}</b>")),
    ServiceCase("what is no JSON", .form("/cells/dot", "a:=1,%22b%22:2"), .problem("bad-request")),
    ServiceCase("nothing", .form("/cells/dot", "a:="), .problem("bad-request")),
    ServiceCase("two values", .form("/cells/dot", "a:=1 2"), .problem("bad-request")),
    ServiceCase("an object beside its names", .form("/cells/dot", "a:={}&a.b=1"), .problem("bad-request")),
    ServiceCase("no name", .form("/cells/dot", ":=1"), .problem("bad-request")),
    ServiceCase("on a control", .get("/cells/dot?format:=1"), .problem("bad-request")),
    ServiceCase("brackets", .form("/cells/dot", "a[]=1"), .problem("bad-request")),
    ServiceCase("an index", .form("/cells/dot", "a%5B0%5D=1"), .problem("bad-request")),
    ServiceCase("a key", .get("/cells/dot?a[b]=1"), .problem("bad-request")),
    ServiceCase(
      "other brackets", .form("/cells/dot", "a]=1&[=2&[1]=3"),
      .html("<b>{&quot;a]&quot;:&quot;1&quot;,&quot;[&quot;:&quot;2&quot;,&quot;[1]&quot;:&quot;3&quot;}</b>")
    ),
  ]

  @Test(arguments: Way.allCases) func shapes(way: Way) async throws {
    let target = try way.target()
    for cases in [Self.bodies, Self.fields] { try await target.check(cases) }
  }
}
