import Testing

@testable import CellServer

@Suite struct HTTPRouteTests {
  private func route(_ path: String) -> Result<(endpoint: Endpoint, rest: String), Problem> {
    let head = RequestHead(method: .get, path: path)
    do throws(Problem) {
      let endpoint = Endpoints.all[try Endpoints.position(of: head.target)]
      return .success((endpoint, head.target.parts.rest))
    } catch {
      return .failure(error)
    }
  }

  private func code(_ path: String) -> Problem.Code? {
    if case .failure(let problem) = route(path) { problem.code } else { nil }
  }

  @Test(arguments: [
    ("/cells", "/cells", ""),
    ("/cells/news", "/cells/{kind}", "news"),
    ("/cells/shop/price", "/cells/{kind}", "shop/price"),
    ("/cells/shop%2Fprice", "/cells/{kind}", "shop/price"),
    ("/cells/shop%2fprice", "/cells/{kind}", "shop/price"),
    ("/cells/%6eews", "/cells/{kind}", "news"),
    ("/cells/a+b", "/cells/{kind}", "a+b"),
    ("/cells/a%2525", "/cells/{kind}", "a%25"),
    ("/cells/..", "/cells/{kind}", ".."),
    ("/cells/../livez", "/cells/{kind}", "../livez"),
    ("/cells/%2e%2e%2fkinds", "/cells/{kind}", "../kinds"),
    ("/cells/caf%C3%A9", "/cells/{kind}", "café"),
    ("/cells/%CC%88", "/cells/{kind}", "\u{308}"),
    ("/cells/\u{308}", "/cells/{kind}", "\u{308}"),
    ("/cells/cells", "/cells/{kind}", "cells"),
    ("/kinds", "/kinds", ""),
    ("/kinds/shop/price", "/kinds/{kind}", "shop/price"),
    ("/schemas/news", "/schemas/{kind}", "news"),
    ("/livez", "/livez", ""),
    ("/readyz", "/readyz", ""),
    ("/metrics", "/metrics", ""),
    ("/openapi.json", "/openapi.json", ""),
    ("*", "*", ""),
  ])
  func names(_ path: String, _ endpoint: String, _ rest: String) throws {
    let found = try route(path).get()
    #expect(found.endpoint.path.description == endpoint && found.rest == rest)
  }

  @Test(arguments: [
    "", "/", "/nothing", "/Cells", "/CELLS/news", "/%63ells", "/%63ells/news", "/cells%2Fnews", "/kind%73",
    "/schemas", "/livez/x", "/readyz/x", "/metrics/news", "/openapi", "/openapi.json/x", "/openapi%2Ejson",
    "/cell", "/cell%73/news",
    "/cellsx", "/cells\u{308}", "/.", "/..", "/../cells", "/./cells", "/%2A", "/*",
  ])
  func hasNothingElse(_ path: String) {
    #expect(code(path) == .notFound)
  }

  @Test(arguments: [
    "/cells/", "//", "///", "//cells", "/cells//news", "/cells/news/", "/cells/a//b", "/kinds/", "/schemas/",
    "/livez/", "/nothing/", "/nothing//x", "/cells/%2Fnews", "/cells/news%2F", "/cells/a%2F%2Fb", "/%2F",
    "/cells/%", "/cells/%zz", "/cells/%4", "/cells/a%2", "/cells/%00", "/cells/a%00b", "/nothing%00",
    "/livez%zz",
    "/%", "/cells/%FF", "/cells/%C0%AF", "/cells/%ED%A0%80", "/cells/%C3", "/nothing/%80", "cells",
    "cells/news",
    "%2Fcells", "**", "*/cells",
  ])
  func refusesAMalformedPath(_ path: String) {
    #expect(code(path) == .badRequest)
  }

  /// A path of 8,192 bytes is read; of a longer one only its length.
  @Test func aLongPathIsRefusedOrQuotedInPart() {
    let long = String(repeating: "a/", count: 4092) + "a"
    #expect((try? route("/cells/" + long).get())?.rest == long)
    for (path, expected) in [("/\(long)/aaaaa", Problem.Code.notFound), ("/cells/\(long)a", .badRequest)] {
      guard case .failure(let problem) = route(path) else {
        Issue.record("there is such a route")
        continue
      }
      #expect(problem.code == expected)
      #expect(problem.detail.utf8.count < 200)
    }
  }

  @Test(arguments: [
    ("/cells", "POST, OPTIONS"),
    ("/cells/news", "GET, HEAD, POST, OPTIONS"),
    ("/kinds", "GET, HEAD, OPTIONS"),
    ("/kinds/news", "GET, HEAD, OPTIONS"),
    ("/schemas/news", "GET, HEAD, OPTIONS"),
    ("/livez", "GET, HEAD, OPTIONS"),
    ("/readyz", "GET, HEAD, OPTIONS"),
    ("/metrics", "GET, HEAD, OPTIONS"),
    ("/openapi.json", "GET, HEAD, OPTIONS"),
    ("*", "GET, HEAD, POST, OPTIONS"),
  ])
  func listsItsMethods(_ path: String, _ allow: String) throws {
    #expect(try route(path).get().endpoint.methods.names.joined(separator: ", ") == allow)
  }

  @Test(
    arguments: [
      ("/cells", "POST", nil), ("/cells", "OPTIONS", nil), ("/cells", "GET", 405), ("/cells", "HEAD", 405),
      ("/cells/news", "GET", nil), ("/cells/news", "HEAD", nil), ("/cells/news", "POST", nil),
      ("/cells/news", "PUT", 405), ("/cells/news", "get", 405), ("/cells/news", "", 405),
      ("/kinds", "GET", nil), ("/kinds", "POST", 405), ("/livez", "HEAD", nil), ("/livez", "DELETE", 405),
      ("*", "OPTIONS", nil), ("*", "PATCH", 405),
    ] as [(String, String, Int?)])
  func checksTheMethod(_ path: String, _ method: String, _ status: Int?) throws {
    let endpoint = try route(path).get().endpoint
    var refusal: Problem?
    do throws(Problem) { try endpoint.check(RequestHead.Method(method)) } catch { refusal = error }
    #expect(refusal?.code.status == status)
    if status == 405 { #expect(refusal?.allow == endpoint.methods.names) }
  }

  @Test(arguments: ["GET", "HEAD", "POST", "OPTIONS", "PUT", "get", ""])
  func aMethodKeepsItsName(_ name: String) {
    #expect(RequestHead.Method(name).name == name)
  }
}
