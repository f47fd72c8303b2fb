import Foundation
import Testing

/// Cells of nibs over HTTP: selection, the owner, and the metadata of rows and kinds.
@Suite struct ServiceNibTests {
  private static let templates = [
    "feed.html": """
    <!doctype html><link rel="stylesheet" href="feed.css"><style>p { margin: 0 }</style>
    <article data-cell="news" data-class="NewsCell Cell">
      <h2 data-outlet="title">Headline</h2>
      <p data-outlet="author"><b data-outlet="name">Ada &amp; Co</b>{{role}}</p>
      <a data-tag="7" data-bind="href title" href="#">Read <i>more</i></a>
      <button data-action="share" title="{{tip}}">Share</button><button data-action="share">Again</button>
      {{>price}}{{#on}}<i data-outlet="inner">i</i>{{/on}}
    </article>
    <b data-cell="ad" data-class="Cell">{{owner.site}}<i data-outlet="owner.name" data-missing="keep">n</i></b>
    """,
    "shop/list.html":
      "<u data-cell=price data-class='PriceCell Cell' data-outlet=amount>0</u><s data-cell=old>x</s>",
    "plain.mustache": "<p>{{title}}</p>",
  ]

  private func target(_ way: Way) throws -> any HTTPTarget {
    try way.target { $0.templates = Self.templates }
  }

  private static func item(_ selection: String, _ html: String, kind: String) -> ServiceCase {
    ServiceCase(
      selection, .post("/cells?format=json&fields=html", #"[{\#(selection),"data":{"amount":1}}]"#),
      .json(#"{"rows":[{"index":0,"kind":"\#(kind)","html":"\#(html)"}],"errors":0}"#))
  }

  private static func refusal(_ selection: String, _ error: String = "/0: unknown-kind") -> ServiceCase {
    ServiceCase(
      selection, .post("/cells", #"[{\#(selection)}]"#), .problem("invalid-row", errors: [error]))
  }

  @Test(arguments: Way.allCases) func itemsSelectByNibAndClass(way: Way) async throws {
    try await target(way).check([
      Self.item(#""class":"PriceCell""#, "<u>1</u>", kind: "price"),
      Self.item(#""nib":"shop/list""#, "<u>1</u>", kind: "price"),
      Self.item(#""nib":"shop/list","class":"Cell""#, "<u>1</u>", kind: "price"),
      Self.item(#""nib":"shop/list","kind":"old""#, "<s>x</s>", kind: "old"),
      Self.item(#""class":"Cell","kind":"price""#, "<u>1</u>", kind: "price"),
      Self.item(#""class":"Cell","nib":"feed","kind":"ad""#, "<b><i>n</i></b>", kind: "ad"),
      Self.item(#""class":"PriceCell","nib":"shop/list","kind":"price""#, "<u>1</u>", kind: "price"),
      Self.refusal(#""class":"Other""#),
      Self.refusal(#""class":"""#),
      Self.refusal(#""nib":"plain""#),
      Self.refusal(#""nib":"feed.html""#),
      Self.refusal(#""nib":"shop/list","class":"NewsCell""#),
      Self.refusal(#""kind":"old","class":"Cell""#),
      Self.refusal(#""kind":"none","class":"Cell""#),
      Self.refusal(#""kind":"plain","nib":"feed""#),
      Self.refusal(#""class":1"#, "/0/class: invalid-row"),
      Self.refusal(#""nib":null,"kind":"old""#, "/0/nib: invalid-row"),
      ServiceCase(
        "the envelope's kind is for items without a selection",
        .post("/cells", #"{"kind":"old","rows":[{},{"class":"PriceCell","data":{"amount":1}}]}"#),
        .html("<s>x</s><u>1</u>")),
    ])
    let answer = try await target(way).ask(.post("/cells", #"{"nib":"feed","class":"No","kind":"x"}"#))
    #expect(
      answer.text.contains(#"no cell has kind \"x\" and nib \"feed\" and class \"No\""#), "\(answer.text)")
    // The first in document order, not in name order.
    let first = try await target(way).ask(
      .post("/cells?format=json&fields=etag", #"[{"class":"Cell"},{"nib":"feed"}]"#))
    #expect(first.text.components(separatedBy: #""kind":"news""#).count == 3, "\(first.text)")
  }

  /// A count that is null is missing where it is: as a member, as an item, as the row.
  @Test(arguments: Way.allCases) func nullCountsHavePointers(way: Way) async throws {
    let plural = "<em data-plural=. data-missing=error><u data-case=other>o</u></em>"
    let nibs = [
      "n.html": "<p data-cell=items>{{#l}}\(plural){{/l}}</p><p data-cell=row>\(plural)</p>"
        + "<p data-cell=member>\(plural.replacingOccurrences(of: "=.", with: "=n"))</p>"
    ]
    let row = { (kind: String, body: String, pointer: String) in
      ServiceCase(
        "\(kind) \(body)", .post("/cells/\(kind)", body),
        .problem("invalid-row", errors: ["\(pointer): invalid-row"]))
    }
    try await way.target { $0.templates = nibs }.check([
      row("items", #"[{},{"l":[1,null]}]"#, "/1/l/1"), row("row", "[null]", "/0"), row("row", "null", ""),
      row("member", #"[{"n":null}]"#, "/0/n"), row("member", "[{}]", "/0/n"),
    ])
  }

  /// A value that cannot be the row of an included cell is wrong where it is.
  @Test(arguments: Way.allCases) func refusedRowsOfIncludedCellsHavePointers(way: Way) async throws {
    let nibs = [
      "n.html":
        "<div data-cell=a><i data-outlet=x data-include=b>d</i><i data-outlet=owner.y data-include=b>d</i></div>"
        + "<p data-cell=b><i data-outlet=z data-include=c>d</i></p><u data-cell=c data-outlet=n>d</u>"
    ]
    let row = { (body: String, pointer: String) in
      ServiceCase(
        body, .post("/cells/a", body), .problem("invalid-row", errors: ["\(pointer): invalid-row"]))
    }
    try await way.target { $0.templates = nibs }.check([
      row(#"{"x":"t"}"#, "/x"), row(#"[{},{"x":[{},[null,5]]}]"#, "/1/x/1/1"),
      row(#"{"x":{"z":{"data":{},"id":1}}}"#, "/x/z"),
      row(#"{"owner":{"y":[1]},"rows":[{}]}"#, "/owner/y/0"),
    ])
  }

  @Test(arguments: Way.allCases) func everyRowSeesTheOwner(way: Way) async throws {
    try await target(way).check([
      ServiceCase(
        "owner",
        .post(
          "/cells",
          #"{"owner":{"site":"S","name":"N"},"kind":"ad","rows":[{},{"data":{"owner":{"site":"T","name":"M"}}}]}"#
        ),
        .html("<b>S<i>N</i></b><b>T<i>N</i></b>")),
      ServiceCase(
        "none", .post("/cells", #"[{"kind":"ad","data":{"owner":{"name":"M"}}}]"#), .html("<b><i>n</i></b>")),
      ServiceCase(
        "alone", .post("/cells/ad", #"{"owner":{"site":"T","name":"M"}}"#), .html("<b>T<i>n</i></b>")),
    ])
  }

  @Test(arguments: Way.allCases) func rowsContainTheRequestedFields(way: Way) async throws {
    let row =
      #"{"title":["a",1.0],"author":{"name":"n"},"7":{"href":"/"},"name":"x","inner":2,"role":3,"on":{}}"#
    try await target(way).check([
      ServiceCase(
        "all but html", .post("/cells/news?format=json&fields=class,nib,outlets,actions", row),
        .json(
          #"{"rows":[{"index":0,"kind":"news","class":"NewsCell","nib":"feed","actions":["share"],"#
            + #""outlets":{"title":["a",1.0],"author":{"name":"n"},"7":{"href":"/"}}}],"errors":0}"#)),
      ServiceCase(
        "what is missing is left out", .post("/cells/news?format=ndjson&fields=outlets", #"{"title":null}"#),
        .ndjson(#"{"index":0,"kind":"news","outlets":{"title":null}}"# + "\n")),
      ServiceCase(
        "no object", .post("/cells/news?format=ndjson&fields=outlets", "7"),
        .problem("invalid-row", errors: [": invalid-row"])),
      ServiceCase(
        "the owner's",
        .post("/cells?format=ndjson&fields=outlets,html", #"{"owner":{"name":"N"},"rows":[{"kind":"ad"}]}"#),
        .ndjson(#"{"index":0,"kind":"ad","html":"<b><i>N</i></b>","outlets":{"owner.name":"N"}}"# + "\n")),
      ServiceCase(
        "a Mustache file has none", .post("/cells/plain?format=json&fields=class,nib,outlets,actions", "{}"),
        .json(#"{"rows":[{"index":0,"kind":"plain","actions":[],"outlets":{}}],"errors":0}"#)),
      ServiceCase(
        "no effect on HTML", .post("/cells/price?fields=outlets", #"{"amount":1}"#), .html("<u>1</u>")),
    ])
  }

  @Test(arguments: Way.allCases) func etagsCoverOutletsThatAreAskedFor(way: Way) async throws {
    let target = try target(way)
    func etag(_ fields: String, _ row: String) async throws -> String {
      let answer = try await target.ask(.post("/cells/price?format=json&fields=\(fields)", row))
      let rows = (answer.json() as? [String: Any])?["rows"] as? [[String: Any]]
      return try #require(rows?.first?["etag"] as? String)
    }
    // The same HTML from different values.
    let one = #"{"amount":"1"}"#
    let two = #"{"amount":{"text":"1"}}"#
    #expect(try await etag("etag", one) == etag("html,etag", two))
    #expect(try await etag("etag,outlets", one) != etag("etag", one))
    #expect(try await etag("etag,outlets", one) != etag("etag,outlets", two))
    #expect(try await etag("etag,outlets", one) == etag("outlets,html,etag", one))
    let known = try await etag("etag,outlets", one)
    try await target.check([
      ServiceCase(
        "unchanged",
        .post(
          "/cells?format=ndjson&fields=html,outlets,class",
          #"{"kind":"price","data":\#(one),"etag":"\#(known)"}"#),
        .ndjson(##"{"index":0,"kind":"price","etag":"#","unchanged":true}"## + "\n")),
      ServiceCase(
        "changed",
        .post("/cells?format=ndjson&fields=outlets", #"{"kind":"price","data":\#(two),"etag":"\#(known)"}"#),
        .ndjson(#"{"index":0,"kind":"price","outlets":{"amount":{"text":"1"}}}"# + "\n")),
    ])
  }

  @Test(arguments: Way.allCases) func missingOutletsAreErrorsByPointer(way: Way) async throws {
    try await target(way).check([
      ServiceCase(
        "one row", .post("/cells/news?missing=error", #"{"title":1,"author":{},"on":{}}"#),
        .problem(
          "invalid-row",
          errors: ["/author/name", "/author/role", "/7", "/tip", "/amount", "/on/inner"].map {
            "\($0): invalid-row"
          })),
      ServiceCase(
        "blank", .post("/cells/price?missing=blank", "[{},{\"amount\":2}]"), .html("<u></u><u>2</u>")),
      ServiceCase("keep", .post("/cells/price?missing=keep", "{}"), .html("<u>0</u>")),
    ])
  }

  @Test(arguments: Way.allCases) func kindsDescribeTheirData(way: Way) async throws {
    let target = try target(way)
    let whole = try await target.ask(.get("/kinds/news")).text
    let answer = whole.dropLast(34)
    #expect(whole.hasSuffix("\"}") && whole.dropLast(2).suffix(32).allSatisfy(\.isHexDigit), "\(whole)")
    #expect(
      answer.hasPrefix(#"{"kind":"news","nib":"feed","text":false,"version":""#)
        && answer.hasSuffix(
          #"","classes":["NewsCell","Cell"],"#
            + #""outlets":[{"name":"title","element":"h2","placeholder":"Headline","line":3,"column":3},"#
            + #"{"name":"author","element":"p","line":4,"column":3},"#
            + #"{"name":"name","element":"b","placeholder":"Ada & Co","within":["author"],"line":4,"column":27},"#
            + #"{"name":"inner","element":"i","placeholder":"i","within":["on"],"line":7,"column":20}],"#
            + #""tags":[{"tag":7,"element":"a","placeholder":"Read more","attributes":["href","title"],"line":5,"column":3}],"#
            + #""names":["role","tip","on"],"#
            + #""places":[{"name":"role","use":"value","in":"text","within":["author"],"line":4,"column":65},"#
            + #"{"name":"href","use":"value","in":"url","attribute":"href","within":["7"],"line":5,"column":3},"#
            + #"{"name":"title","use":"value","in":"attribute","attribute":"title","within":["7"],"line":5,"column":3},"#
            + #"{"name":"tip","use":"value","in":"attribute","line":6,"column":38},"#
            + #"{"name":"on","use":"section","line":7,"column":13}],"#
            + #""formats":[],"actions":[{"action":"share","element":"button","line":6,"column":3},"#
            + #"{"action":"share","element":"button","line":6,"column":61}],"#
            + #""partials":["price"],"locales":[],"#
            + #""styles":["<link rel=\"stylesheet\" href=\"feed.css\">","<style>p { margin: 0 }</style>"],"stylesheet":"/styles/feed.css?v="#
        ),
      "\(answer)")
    let plain = try await target.ask(.get("/kinds/plain")).json() as? [String: Any]
    #expect(plain?["nib"] == nil && (plain?["styles"] as? [String])?.isEmpty == true)
  }
}
