@testable import CellServer
import Cells
import Testing

/// A row that takes long is rendered in slices, for every format; the answer is the same.
@Suite struct ServicePauseTests {
  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    "[" + (0..<count).map(item).joined(separator: ",") + "]"
  }

  /// More members of one name than are read at once.
  private static func members(_ name: String) -> String { String(repeating: "\"\(name)\":1,", count: 10_000) }

  private static let templates = [
    "long.mustache": "<ul>{{#l}}<li>{{@index}}: {{.}} {{a}}</li>{{/l}}</ul>",
    "wide.mustache": """
    <p>{{a}}{{#o}}<b>{{a}} {{none}} {{p.a}}</b>{{#p}}<i title="{{a}}">{{b}}{{o.p.c}}</i>{{^none}}x{{/none}}{{/p}}{{/o}}\
    {{o.p.a}} {{list.9000.a}}{{list.9999.none.x}}{{>*o.kind}}{{#o}}{{#p}}{{owner.a}}{{/p}}{{/o}}</p>
    """,
    "gaps.mustache": "<p>{{#l}}{{a}}{{/l}}{{#owner}}{{#l}}{{owner.none}}{{a}}{{/l}}{{/owner}}</p>",
    "widenib.html": """
    <div data-cell="widenib"><a data-outlet="o" data-bind="href"><b data-outlet="p.a">x</b></a>\
    <i data-outlet="list.9000.a">y</i></div>
    """,
    "longtext.txt.mustache": "{{#l}}{{#l}}{{a}}{{/l}}{{/l}}",
    "longnib.html":
      "<ul data-cell=\"longnib\"><li data-outlet=\"l\"><b data-outlet=\"t\">x</b></li></ul>",
  ]

  /// A row, objects and a list with more members and items than are looked through at once.
  private static let wideRow = """
    {\(members("z"))"a":1,"o":{\(members("a"))"a":2,"href":"/u","kind":"long","p":{\(members("b"))"a":3,"c":4}},
    "list":\(list(10_000) { "{\"a\":\($0)}" })}
    """

  /// A list at whose end names are missing.
  private static let gapsRow = "{\"l\":[\(String(repeating: "{\"a\":1},", count: 10_000)){},{\"b\":[1]},{}]}"

  private static let row = "{\"a\":\"&\",\"l\":\(list(2000, String.init))}"
  private static let nibRow = "{\"l\":\(list(3000) { $0 % 2 == 0 ? "null" : "{\"t\":\($0)}" })}"

  /// Lines whose faults are not found in one step: between long lists of numbers, and in a long string.
  private static let badLine =
    "{}\n[\(String(repeating: "1,", count: 100_000))x]\n{}\n{\"a\":\"\(String(repeating: "\\n", count: 100_000))\\x\"}\n{}\n"

  /// A row whose output is hashed in several steps.
  private static let hashedRow = "{\"a\":\"\(String(repeating: "&", count: 700_000))\",\"l\":[1]}"

  private static let requests: [TestRequest] = [
    .post("/cells/long?format=json&fields=etag,outlets", "[\(hashedRow),{},\(hashedRow)]"),
    .post(
      "/cells?format=ndjson", "[{\"kind\":\"long\",\"etag\":\"0\",\"data\":\(hashedRow)},{\"kind\":\"long\"}]"
    ),
    .post("/cells/long", row), .post("/cells/long", "[\(row),{},\(row)]"),
    .post("/cells/long?format=json", "[\(row),\(row)]"), .post("/cells/long?format=ndjson", "[\(row),{}]"),
    .post("/cells/long?on_error=skip&missing=error", "[\(row),{},\(row)]"),
    .post("/cells/long?missing=error", "[\(row),{\"l\":\(list(1000, String.init))}]"),
    .post("/cells/long?format=json&fields=html,outlets,etag", row), .post("/cells/longnib", nibRow),
    .post("/cells/longnib?format=json&fields=html,outlets", "[\(nibRow),{},\(nibRow)]"),
    .post("/cells", "[{\"kind\":\"long\",\"data\":\(row)},{\"kind\":\"longnib\",\"data\":\(nibRow)}]"),
    .post("/cells?format=ndjson", "[{\"kind\":\"none\"},{\"kind\":\"long\",\"id\":1,\"data\":\(row)}]"),
    .post("/cells?format=json&on_error=skip", "[{\"kind\":\"none\"},{\"kind\":\"long\",\"data\":\(row)}]"),
    .post("/cells", "[{\"kind\":\"long\",\(members("x"))\"data\":\(row)},{\"kind\":\"long\"}]"),
    .post("/cells?on_error=skip", "[{\"kind\":\"long\",\(members("x"))\"data\":{}},{\"kind\":\"long\"}]"),
    .post("/cells", "[{\"kind\":\"long\",\(members("data"))\"data\":\(row)},{\"kind\":\"long\"}]"),
    .post("/cells", "{\(members("data"))\"kind\":\"long\",\"data\":\(row)}"),
    .post("/cells", "{\(members("rows"))\"kind\":\"long\",\"rows\":[{\"data\":\(row)},{}]}"),
    .post("/cells", "{\(members("rows"))\"kind\":1,\"x\":1,\"rows\":[]}"),
    .post("/cells", "{\(members("x"))\"kind\":1,\"rows\":[]}"),
    .post("/cells/wide", wideRow), .post("/cells/wide?missing=error", "[\(wideRow),{},\(wideRow)]"),
    .post("/cells/wide?format=json", "[\(wideRow),{},\(wideRow)]"),
    .post("/cells/widenib", "[\(wideRow),{}]"),
    .post("/cells/widenib?format=json&fields=html,outlets", "[\(wideRow),{},\(wideRow)]"),
    .post("/cells?missing=error", "{\"owner\":{\"b\":1},\"rows\":[{\"kind\":\"wide\",\"data\":\(wideRow)}]}"),
    .post("/cells/gaps?missing=error", gapsRow),
    .post("/cells/gaps?missing=error", "[\(gapsRow),{},\(gapsRow)]"),
    .post("/cells/gaps?missing=error&on_error=skip", "[{},\(gapsRow),{},\(gapsRow)]"),
    .post("/cells/gaps?missing=error&on_error=skip&format=json", "[{},\(gapsRow),{}]"),
    .post(
      "/cells?missing=error",
      "{\"owner\":\(gapsRow),\"rows\":[{\"kind\":\"gaps\",\"data\":\(gapsRow)},{\"kind\":\"gaps\"}]}"),
    .ndjson(
      "/cells/long", String(repeating: " ", count: 200_000) + "{\n" + String(repeating: "\t", count: 131_072)),
    .ndjson("/cells/long", "{}\n" + String(repeating: " ", count: 70_000) + "\n\(row)\n1x"),
    .ndjson("/cells/long", String(repeating: "{}\n", count: 10_000)),
    .ndjson("/cells/long", "\(row)\n[1\n\(row)\n"),
    .ndjson("/cells/long", badLine), .ndjson("/cells/long?on_error=skip", badLine),
    .ndjson("/cells/long?on_error=skip&format=ndjson", badLine + badLine),
    .ndjson("/cells/long?on_error=skip&format=json&fields=html", badLine + "[\n" + badLine),
    .post("/cells/longtext", "{\"a\":\"x\",\"l\":\(list(150, String.init))}"),
    .get("/cells/long?a=1&" + (0..<350).map { "l=\($0)" }.joined(separator: "&")),
    .get("/cells/long?format=json&a=1&" + (0..<350).map { "l=\($0)" }.joined(separator: "&")),
  ]

  @Test(arguments: Way.allCases, [true, false])
  func slicesChangeNothing(way: Way, streams: Bool) async throws {
    func target(_ isSliced: Bool) throws -> any HTTPTarget {
      try way.target { setup in
        setup.templates.merge(Self.templates) { $1 }
        setup.service.sliceMicroseconds = isSliced ? 0 : .max
        if isSliced { setup.service.sliceBodyBytes = 10_000 }
        if streams { setup.service.completeBytes = 10_000 }
      }
    }
    let (sliced, whole) = (try target(true), try target(false))
    for request in Self.requests {
      let expected = try await whole.ask(request)
      let answer = try await sliced.ask(request)
      #expect([200, 400, 422].contains(expected.status), "\(request.target)")
      #expect(answer.status == expected.status, "\(request.target)")
      #expect(answer.body == expected.body, "\(request.target)")
      #expect(
        answer["ETag"] == expected["ETag"] && answer["CellFactory-Errors"] == expected["CellFactory-Errors"])
    }
    #expect(await sliced.heldBytes() == 0)
  }

  /// A pointer leads to what contains a member with a long name; otherwise a large mistake would make a large answer.
  @Test(arguments: ["[{\"NAME\":1,\"kind\":\"long\"}]", "{\"rows\":[],\"NAME\":1}"])
  func errorsDoNotRepeatLongNames(_ body: String) async throws {
    let target = try Way.inProcess.target { $0.templates.merge(Self.templates) { $1 } }
    let name = String(repeating: "~", count: 1_000_000)
    let answer = try await target.ask(.post("/cells", body.replacing("NAME", with: name)))
    #expect((400...422).contains(answer.status))
    #expect(answer.body.count < 2000, "\(answer.body.count)")
    let short = try await target.ask(.post("/cells", body.replacing("NAME", with: "a~b")))
    #expect(short.text.contains("/a~0b\""), "\(short.text)")
  }

  /// Long lines of NDJSON are parsed in parts, and what is wrong with them is found in parts.
  @Test func longLinesAreReadInSlices() async throws {
    func target(_ isSliced: Bool) throws -> any HTTPTarget {
      try Way.inProcess.target { setup in
        setup.templates.merge(Self.templates) { $1 }
        setup.service.sliceMicroseconds = isSliced ? 0 : .max
        setup.service.sliceBodyBytes = isSliced ? 1000 : .max
      }
    }
    let (sliced, whole) = (try target(true), try target(false))
    let long = "{\"a\":\"&\\u0041\",\"l\":\(Self.list(20_000, String.init))}"
    for lines in [
      [long], [long, "{}", long], ["[1", long.dropLast() + "", long + "]", long, "{\"a\":1}"],
      [" ", long + long, ""],
    ] {
      for query in ["", "?on_error=skip", "?format=ndjson"] {
        for end in ["", "\n"] {
          let request = TestRequest.ndjson("/cells/long" + query, lines.joined(separator: "\n") + end)
          let (answer, expected) = (try await sliced.ask(request), try await whole.ask(request))
          #expect(answer.status == expected.status, "\(query)")
          #expect(answer.body == expected.body, "\(query)")
        }
      }
    }
    #expect(await sliced.heldBytes() == 0)
  }

  @Test func linesAreKeptInBlocks() {
    let lines = LineList()
    for number in 0..<200_000 {
      if lines.isFull { lines.grow() }
      lines.append(Batch.Line(root: UInt32(number), number: 1, start: 2, end: 3))
    }
    #expect(lines.count == 200_000 && (0..<200_000).allSatisfy { lines[$0].root == UInt32($0) })
    #expect(lines.heldBytes == 4 * 65536 * 16)
  }

  @Test func theOutputLimitHoldsAfterAPause() async throws {
    for bytes in [500, 20_000, 60_000] {
      for query in ["", "?format=json", "?on_error=skip"] {
        let target = try Way.inProcess.target { setup in
          setup.templates.merge(Self.templates) { $1 }
          setup.service.sliceMicroseconds = 0
          setup.service.render.outputBytes = bytes
        }
        let answer = try await target.ask(.post("/cells/long" + query, "[\(Self.row),\(Self.row)]"))
        #expect(answer.status == 422 && answer.problem()?.code == "output-too-large", "\(bytes) \(query)")
        #expect(await target.heldBytes() == 0)
      }
    }
  }
}
