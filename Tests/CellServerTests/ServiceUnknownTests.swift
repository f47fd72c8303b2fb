import CellServer
import Cells
import Testing

/// Names that a kind never reads make a row bad with `unknown=error`.
@Suite struct ServiceUnknownTests {
  private static let templates = [
    "nibs.html": """
    <article data-cell="story"><h2 data-outlet="title">T</h2>\
    <p data-outlet="author"><b data-outlet="name">N</b></p>\
    <li data-outlet="tags" data-bind="class:sort"><b data-outlet="label">L</b></li>\
    <i data-when="stock<{least.stock}" data-bind="title:'{a} {b.c}'; hidden:x!=1">low</i></article>
    <table data-cell="staying"><tr><td data-outlet="a" data-bind="title:o">d</td></tr></table>
    <p data-cell="leaving"><b data-outlet="a" data-bind="title:o">d</b></p>
    <section data-cell="around"><span data-outlet="by" data-include="story">x</span></section>
    <section data-cell="dynamic"><span data-outlet="by" data-include="*kind">x</span></section>
    <section data-cell="anything">{{>*kind}}</section>
    <div data-cell="card"><h2 data-outlet="title">T</h2><i data-outlet="tags" data-include="weigher">t</i></div>
    <div data-cell="boxed"><i data-outlet="s">{{>dump}}</i></div>
    <div data-cell="framed"><b data-outlet="a">a</b><i data-outlet="s" data-include="dump">s</i></div>
    <p data-cell="control"><b data-outlet="unknown">x</b></p>
    <p data-cell="bare"><a data-outlet="unknown.x">x</a></p>
    """,
    "loops.mustache":
      "{{#items}}{{name}} {{price.amount}} {{@row.z}}{{>inner}}{{/items}}{{list.0.a}}{{#f}}{{^g}}{{/g}}{{/f}}",
    "inner.mustache": "{{#deep}}{{far.out}}{{/deep}}{{json}}",
    "layout.mustache": "{{#page}}{{$body}}{{/body}}{{/page}}",
    "styled.mustache": "{{<layout}}{{$body}}{{headline}}{{#notes}}{{text}}{{/notes}}{{/body}}{{/layout}}",
    "whole.mustache": "{{.}}",
    "linked.mustache": "{{@type}}{{@index}}",
    "endless.mustache": "{{a}}{{#next}}{{>endless}}{{/next}}",
    "tagged.mustache": "{{title}}{{#tags}}{{>tag}}{{/tags}}",
    "tag.mustache": "{{#style}}{{colour}}{{/style}}{{>weigher}}",
    "weigher.mustache": "{{.}}{{weight}}",
    "dump.mustache": "{{#@row}}{{.}}{{/@row}}",
    "dumped.mustache": "{{a}}{{#s}}{{>dump}}{{/s}}",
    "passing.mustache": "{{#@row}}{{>weigher}}{{/@row}}",
    "passed.mustache": "{{a}}{{#s}}{{>passing}}{{/s}}",
    "naming.mustache": "{{#@row}}{{#tags}}{{label}}{{/tags}}{{/@row}}",
    "named.mustache": "{{#s}}{{>naming}}{{/s}}",
    "list.mustache": "{{#items}}{{$item}}{{/item}}{{/items}}",
    "sublist.mustache": "{{<list}}{{/list}}",
    "listed.mustache": "{{title}}{{#s}}{{<list}}{{$item}}{{.}}{{/item}}{{/list}}{{/s}}",
    "sublisted.mustache": "{{title}}{{#s}}{{<sublist}}{{$item}}{{#.}}{{.}}{{/.}}{{/item}}{{/sublist}}{{/s}}",
    "lister.mustache": "{{<list}}{{$item}}{{.}}{{/item}}{{/list}}",
    "calling.mustache": "{{title}}{{#s}}{{>lister}}{{/s}}",
    "chip.mustache": "{{$label}}{{/label}}",
    "chips.mustache":
      "{{<layout}}{{$body}}{{title}}{{#tags}}{{<chip}}{{$label}}{{.}}{{/label}}{{/chip}}{{/tags}}{{/body}}{{/layout}}",
    "nested.mustache":
      "{{title}}{{#s}}{{<list}}{{$item}}{{<chip}}{{$label}}{{.}}{{/label}}{{/chip}}{{/item}}{{/list}}{{/s}}",
  ]

  /// - Parameter count: the number of names; nil if all are described.
  private static func bad(
    _ kind: String, _ row: String, _ positions: [String], count: Int? = nil
  ) -> ServiceCase {
    ServiceCase(
      "\(kind) \(row)", .post("/cells/\(kind)?unknown=error&format=json&fields=nib", row),
      .problem("invalid-row", errors: positions.map { "\($0): invalid-row" }, count: count))
  }

  private static func good(_ kind: String, _ row: String) -> ServiceCase {
    ServiceCase(
      "\(kind) \(row)", .post("/cells/\(kind)?unknown=error&format=ndjson&fields=class", row),
      .ndjson("{\"index\":0,\"kind\":\"\(kind)\"}\n"))
  }

  private static func deep(_ levels: Int, _ innermost: String) -> String {
    String(repeating: #"{"next":"#, count: levels) + innermost + String(repeating: "}", count: levels)
  }

  /// Paths of 10 kB each: as many are described as have 64 KiB.
  private static let paths = [
    bad(
      "endless", deep(500, "{" + (0..<100).map { "\"q\($0)\":1" }.joined(separator: ",") + "}"),
      (0..<7).map { String(repeating: "/next", count: 500) + "/q\($0)" }, count: 100),
    bad(
      "endless", deep(500, "{" + (0..<5).map { "\"q\($0)\":1" }.joined(separator: ",") + "}"),
      (0..<5).map { String(repeating: "/next", count: 500) + "/q\($0)" }),
  ]

  private static let outlets = [
    bad(
      "story", #"{"titel":1,"author":{"name":1,"nmae":{"x":1}},"tags":[{"label":1},{"x~/y":1}],"z":[]}"#,
      ["/titel", "/author/nmae", "/tags/1/x~0~1y", "/z"]),
    good("staying", #"{"a":null,"o":1}"#), good("staying", #"{"a":false,"o":1}"#),
    good("staying", #"{"o":1}"#),
    good("staying", #"{"a":"x","o":1}"#), bad("staying", #"{"a":null,"oo":1}"#, ["/oo"]),
    good("leaving", #"{"a":"x","o":1}"#), bad("leaving", #"{"a":null,"o":1}"#, ["/o"]),
    good("story", #"{"title":{"text":1},"author":{"name":1},"tags":[{"label":1,"sort":"a"}],"stock":1}"#),
    good("story", #"{"least":{"stock":1},"a":{"any":1},"b":{"c":1},"x":1}"#),
    bad(
      "story", #"{"least":{"stocks":1},"stock":{"s":1},"b":{"d":1}}"#, ["/least/stocks", "/stock/s", "/b/d"]),
    // Names inside an outlet are looked up around it only if its value is no object.
    bad("story", #"{"author":{"name":1},"name":1,"label":1}"#, ["/name", "/label"]),
    good("story", #"{"author":"a","name":1,"tags":["a",{"label":1}],"label":1,"sort":1}"#),
    bad("story", #"{"author":null,"name":1}"#, ["/name"]),
    bad("story", #"{"author":false,"name":1}"#, ["/name"]),
    // An included cell sees nothing around its row.
    bad("around", #"{"by":{"title":1,"x":1,"y":1},"title":1}"#, ["/by/y", "/title"]),
    good("around", #"{"by":true,"title":1,"author":{"name":1}}"#),
    good("dynamic", #"{"by":{"kind":"story","title":1,"whatever":1}}"#),
    bad("dynamic", #"{"by":{"kind":"story"},"title":1}"#, ["/title"]),
    good("anything", #"{"whatever":{"x":1}}"#),
    bad("control", #"{"unknowns":1}"#, ["/unknowns"]),
  ]

  private static let mustache = [
    bad(
      "loops",
      #"{"items":[{"name":1,"amount":1},[{"nmae":1}]],"name":1,"z":1,"list":[{"a":1},{"b":1}],"f":{"h":1}}"#,
      ["/items/0/amount", "/items/1/0/nmae", "/list/1/b", "/f/h"]),
    good(
      "loops", #"{"items":{"price":{"amount":1}},"price":{"amount":{"x":1}},"f":{"g":1},"g":1,"z":{"any":1}}"#
    ),
    // Names of a partial, in the section around it and in the row.
    good("loops", #"{"items":[{"deep":{"far":{"out":1}},"json":{"x":1}}],"deep":{"far":1},"far":{"out":1}}"#),
    bad(
      "loops", #"{"items":{"deep":{"far":{"in":1}}},"far":{"in":1},"out":1}"#,
      ["/items/deep/far/in", "/far/in", "/out"]),
    // An override is looked up where its block is.
    good("styled", #"{"page":{"headline":1,"notes":[{"text":1}]},"headline":1}"#),
    bad("styled", #"{"page":{"headlin":1}}"#, ["/page/headlin"]),
    good("linked", #"{"@type":1}"#),
    bad("linked", #"{"@index":1,"@tpye":1}"#, ["/@index", "/@tpye"]),
    good("whole", #"{"a":{"b":[{"c":1}]}}"#),
    good("endless", #"{"a":1,"next":{"a":1,"next":{"a":1,"next":false}}}"#),
    bad("endless", #"{"a":1,"next":{"a":1,"next":{"b":1,"next":null}}}"#, ["/next/next/b"]),
    // What a partial prints whole is the value of the section around it, and not the row.
    bad("tagged", #"{"titel":"x","tags":["a",{"any":{"thing":1}}]}"#, ["/titel"]),
    good("tagged", #"{"title":"x","tags":["a"],"style":{"colour":1},"colour":2,"weight":3}"#),
    good("tag", #"{"any":{"thing":1}}"#),
    // That of an outlet may be `true`: then the row is what is printed.
    good("card", #"{"tags":true,"any":{"thing":1}}"#),
    bad("card", #"{"titel":"x","tags":{"weight":1}}"#, ["/titel"]),
    // `@row` is the row, wherever the partial is called.
    good("dump", #"{"any":{"thing":1}}"#),
    good("dumped", #"{"s":{"x":1},"any":{"thing":1}}"#),
    good("passed", #"{"s":{"x":1},"any":{"thing":1}}"#),
    good("named", #"{"s":{},"tags":[{"label":1}]}"#),
    bad("named", #"{"s":{"x":1},"tags":[{"lable":1}]}"#, ["/s/x", "/tags/0/lable"]),
    good("boxed", #"{"s":{"x":1},"any":{"thing":1}}"#),
    bad("framed", #"{"a":1,"s":{"any":{"thing":1}},"z":1}"#, ["/z"]),
    // What an override prints whole is what is around the block, and nothing else.
    good("listed", #"{"s":{"k":1},"items":[{"any":1}]}"#),
    bad("listed", #"{"titel":1,"s":{"k":1},"items":[{"any":1}]}"#, ["/titel"]),
    good("sublisted", #"{"s":{"k":1},"items":[{"any":1}]}"#),
    bad("sublisted", #"{"titel":1,"items":[{"any":1}]}"#, ["/titel"]),
    good("calling", #"{"s":{"k":1},"items":[{"any":1}]}"#),
    bad("calling", #"{"titel":1,"items":[{"any":1}]}"#, ["/titel"]),
    bad("chips", #"{"titel":1,"page":{"tags":[{"any":1}]}}"#, ["/titel"]),
    good("nested", #"{"s":{"k":1},"items":[{"any":1}]}"#),
    bad("nested", #"{"titel":1,"items":[{"any":1}]}"#, ["/titel"]),
    bad("list", #"{"items":[{"any":1}]}"#, ["/items/0/any"]),
    // Of repeated names, the last counts.
    bad("loops", #"{"f":{"zz":1},"f":{"g":1,"x":2}}"#, ["/f/x"]),
    bad("story", #"{"author":"a","name":1,"author":{"name":1}}"#, ["/name"]),
    good("story", #"{"author":{"name":1},"name":1,"author":"a"}"#),
  ]

  private static let requests = [
    ServiceCase(
      "items",
      .post("/cells?unknown=error", #"[{"kind":"story","data":{"author":{"nam":1}}},{"kind":"story"}]"#),
      .problem("invalid-row", errors: ["/0/data/author/nam: invalid-row"])),
    ServiceCase(
      "an envelope", .post("/cells/story?unknown=error", #"{"rows":[{"z":1}],"owner":{"anything":1}}"#),
      .problem("invalid-row", errors: ["/rows/0/z: invalid-row"])),
    ServiceCase(
      "skipped rows",
      .post("/cells/story?unknown=error&on_error=skip", #"[{"title":1},{"titel":1},{"title":2}]"#),
      .html("<article><h2>1</h2></article><article><h2>2</h2></article>"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "ignored", .post("/cells/story?unknown=ignore", #"{"titel":1,"title":2}"#),
      .html("<article><h2>2</h2></article>")),
    ServiceCase(
      "an item", .post("/cells/story?unknown=error", #"{"data":{"x":1},"kind":"story"}"#),
      .problem("bad-request")),
    ServiceCase(
      "no object", .post("/cells/story?unknown=error", "[1]"),
      .problem("invalid-row", errors: ["/0: invalid-row"])),
    ServiceCase("a list", .post("/cells/whole?unknown=error", "[[{\"x\":1}]]"), .html("[{&quot;x&quot;:1}]")),
    ServiceCase(
      "a query", .get("/cells/story?unknown=error&title=a&titel=b"),
      .problem("invalid-row", errors: ["/titel: invalid-row"])),
    ServiceCase("another value", .get("/cells/story?unknown=yes"), .problem("bad-request")),
    // The control gives way to data of its name, if rows of the kind have any.
    ServiceCase("data", .get("/cells/control?unknown=yes"), .html("<p><b>yes</b></p>")),
    ServiceCase("data with a dot", .get("/cells/bare?unknown.x=yes"), .html("<p><a>yes</a></p>")),
    ServiceCase(
      "a control beside a body", .post("/cells/control?unknown=error", #"{"unknown":1,"x":2}"#),
      .problem("invalid-row", errors: ["/x: invalid-row"])),
  ]

  @Test(arguments: Way.allCases) func areFound(way: Way) async throws {
    let target = try way.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    try await target.check(Self.paths + Self.outlets + Self.mustache + Self.requests)
  }

  @Test func areFoundByDefaultIfTheServerSaysSo() async throws {
    let target = try Way.inProcess.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
      settings.service.unknown = .error
    }
    try await target.check([
      ServiceCase(
        "by default", .post("/cells/story", #"{"z":1}"#), .problem("invalid-row", errors: ["/z: invalid-row"])
      ),
      ServiceCase(
        "unless told", .post("/cells/story?unknown=ignore", #"{"x":1}"#), .html("<article></article>")),
    ])
  }

  @Test func namesTheNearest() async throws {
    let target = try Way.inProcess.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    let rows = [
      (#"{"titel":1}"#, #"the name "titel"; did you mean "title"?"#),
      (#"{"author":{"Names":1}}"#, #"the name "Names"; did you mean "name"?"#),
      (#"{"name":1}"#, #"the name "name""#),
      ("{\"\(String(repeating: "x", count: 5000))\":1}", "never reads the name \"xxx"),
      (#"{"a\u0000b":1}"#, "the name"),
    ]
    for (row, text) in rows {
      let problem = try await target.ask(.post("/cells/story?unknown=error", row)).text
      #expect(problem.contains(text.replacing("\"", with: "\\\"")), "\(problem)")
      #expect(problem.utf8.count < 8000)
    }
  }

  @Test func manyAreCountedAndSomeDescribed() async throws {
    let target = try Way.inProcess.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    let row = "{" + (0..<250).map { "\"n\($0)\":1" }.joined(separator: ",") + "}"
    try await target.check([
      ServiceCase(
        "many", .post("/cells/story?unknown=error", row),
        .problem("invalid-row", errors: (0..<100).map { "/n\($0): invalid-row" }, count: 250))
    ])
  }

  /// Many rows, each with other outlets that are no objects, do not exhaust what is known of a kind.
  @Test func everyChoiceOfOutletsIsChecked() async throws {
    let outlets = (0..<14).map { "<p data-outlet=\"o\($0)\"><b data-outlet=\"i\($0)\">x</b></p>" }.joined()
    let target = try Way.inProcess.target {
      $0.templates["choices.html"] = "<div data-cell=\"choices\">\(outlets)</div>"
    }
    let rows = (0..<6000).map { number in
      let members = (0..<14).map { position in
        number >> position & 1 == 1
          ? "\"o\(position)\":\"a\",\"i\(position)\":1" : "\"o\(position)\":{\"i\(position)\":1}"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    let bad = #"{"o0":"a","i1":1}"#
    try await target.check([
      ServiceCase(
        "rows", .post("/cells/choices?unknown=error", "[\(rows.joined(separator: ",")),\(bad)]"),
        .problem("invalid-row", errors: ["/6000/i1: invalid-row"]))
    ])
  }
}
