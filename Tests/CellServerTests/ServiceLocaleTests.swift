import CellServer
import Cells
import Glibc
import Testing

/// Locale, time zone and now: who decides, what is refused, and which headers tell of it.
@Suite struct ServiceLocaleTests {
  private static let templates = [
    "price.mustache": "<b>{{n | number}}</b>",
    "day.mustache": "<b>{{d | datetime short}}</b>",
    "ago.mustache": "<b>{{d | relative}}</b>",
    "plain.mustache": "<b>{{n}} {{locale}} {{now}}</b>",
    "page.html":
      #"<html lang="de"><p data-cell="german" lang="{{@locale}}" data-outlet="n" data-format="number">1</p></html>"#,
  ]

  private static let none: KeyValuePairs = ["Content-Language": "", "Vary": "Accept", "Cache-Control": ""]

  private static let locales = [
    ServiceCase(
      "nothing asked", .post("/cells/price", #"{"n":1234.5}"#), .html("<b>1,234.5</b>"),
      headers: ["Content-Language": "en", "Vary": "Accept, Accept-Language", "Cache-Control": ""]),
    ServiceCase(
      "the header",
      .post("/cells/german", #"{"n":1234.5}"#, ["Accept-Language": "fr, *, x--y, en-IN;q=0.5, de-CH;q=0.8"]),
      .html(#"<p lang="de-CH">1’234.5</p>"#),
      headers: ["Content-Language": "de-CH", "Vary": "Accept, Accept-Language"]),
    ServiceCase(
      "the nib's own", .post("/cells/german", #"{"n":1234.5}"#), .html(#"<p lang="de">1.234,5</p>"#),
      headers: ["Content-Language": "de"]),
    ServiceCase(
      "the query", .post("/cells/german?locale=en-IN", #"{"n":1234567}"#, ["Accept-Language": "de"]),
      .html(#"<p lang="en-IN">12,34,567</p>"#), headers: ["Content-Language": "en-IN", "Vary": "Accept"]),
    ServiceCase(
      "the envelope", .post("/cells/german?locale=en", #"{"rows":[{"n":1.5}],"locale":"de-AT"}"#),
      .html(#"<p lang="de-AT">1,5</p>"#), headers: ["Content-Language": "de-AT", "Vary": "Accept"]),
    ServiceCase(
      "items",
      .post(
        "/cells",
        #"{"locale":"en","rows":[{"kind":"german","data":{"n":1.5},"locale":"de"},{"kind":"german","data":{"n":1.5}},{"kind":"plain","locale":"fr"}]}"#
      ),
      .html(#"<p lang="de">1,5</p><p lang="en">1.5</p><b>  </b>"#),
      headers: ["Content-Language": "de, en", "Vary": "Accept"]),
    ServiceCase(
      "a GET", .get("/cells/german?n=1.5&locale=en"), .html(#"<p lang="en">1.5</p>"#),
      headers: ["Content-Language": "en"]),
    ServiceCase(
      "without formats", .post("/cells/plain", #"{"n":1}"#, ["Accept-Language": "de"]), .html("<b>1  </b>"),
      headers: none),
    ServiceCase(
      "data of these names", .get("/cells/plain?n=1&locale=x--y&now=soon"), .html("<b>1 x--y soon</b>"),
      headers: none),
  ]

  private static let times = [
    ServiceCase(
      "the zone", .post("/cells/day?time_zone=%2B02:00&locale=de", #"{"d":"2025-10-09T22:30:00Z"}"#),
      .html("<b>10/10/25, 12:30\u{202F}AM</b>")),
    ServiceCase(
      "an item's",
      .post(
        "/cells?time_zone=%2B02:00",
        #"[{"kind":"day","data":{"d":"2025-10-09T22:30:00Z"},"timeZone":"-01:00"},{"kind":"day","data":{"d":"2025-10-09T22:30:00Z"}}]"#
      ),
      .html("<b>10/9/25, 9:30\u{202F}PM</b><b>10/10/25, 12:30\u{202F}AM</b>")),
    ServiceCase(
      "now", .post("/cells/ago?now=2025-10-09T12:00:00Z", #"{"d":"2025-10-06T09:00:00Z"}"#),
      .html("<b>3 days ago</b>"),
      headers: ["Cache-Control": ""]),
    ServiceCase(
      "an envelope's",
      .post("/cells/ago", #"{"now":"2025-10-06T10:00:00Z","rows":[{"d":"2025-10-06T09:00:00Z"}]}"#),
      .html("<b>1 hour ago</b>"), headers: ["Cache-Control": ""]),
  ]

  /// How long ago the year 1 began, by the clock.
  private static var ageOfYearOne: String {
    var (seconds, date) = (time(nil), tm())
    gmtime_r(&seconds, &date)
    let years = Int(date.tm_year) + 1899
    return "<b>\(years / 1000),\(String(1000 + years % 1000).dropFirst()) years ago</b>"
  }

  private static let refused = [
    ServiceCase("a locale", .post("/cells/price?locale=x--y", "{}"), .problem("bad-request")),
    ServiceCase("a zone", .post("/cells/price?time_zone=Nowhere/Here", "{}"), .problem("bad-request")),
    ServiceCase(
      "a zone that nothing uses", .post("/cells/plain?time_zone=Nowhere/Here", "{}"), .problem("bad-request")),
    ServiceCase("a time", .post("/cells/price?now=2025-10-09", "{}"), .problem("bad-request")),
    ServiceCase(
      "an envelope's locale", .post("/cells/price", #"{"rows":[{}],"locale":"x--y"}"#),
      .problem("bad-request", errors: ["/locale: bad-request"])),
    ServiceCase(
      "an envelope's zone", .post("/cells/price", #"{"rows":[{}],"timeZone":"Nowhere/Here"}"#),
      .problem("bad-request", errors: ["/timeZone: bad-request"])),
    ServiceCase(
      "an envelope's time", .post("/cells/price", #"{"rows":[{}],"now":1}"#),
      .problem("bad-request", errors: ["/now: bad-request"])),
    ServiceCase(
      "items",
      .post(
        "/cells",
        #"[{"kind":"price","locale":"x--y"},{"kind":"price","timeZone":"Nowhere/Here"},{"kind":"plain","locale":1}]"#
      ),
      .problem(
        "invalid-row",
        errors: ["/0/locale: invalid-row", "/1/timeZone: invalid-row", "/2/locale: invalid-row"])),
    ServiceCase(
      "a misfit", .post("/cells/price?missing=error", #"[{"n":1},{"n":"x"}]"#),
      .problem("invalid-row", errors: ["/1/n: invalid-row"])),
  ]

  @Test(arguments: Way.allCases) func decideAndAreTold(way: Way) async throws {
    let target = try way.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    try await target.check(Self.locales + Self.times + Self.refused)
    let before = Self.ageOfYearOne
    let answer = try await target.ask(.post("/cells/ago", #"{"d":"0001-01-01"}"#))
    // A year may end meanwhile.
    #expect([before, Self.ageOfYearOne].contains(answer.text), "by the clock: \(answer.text)")
    #expect(answer["Cache-Control"] == "no-cache")
  }

  /// Formats in template order, and the locales that a kind is offered in, its own first.
  @Test(arguments: Way.allCases) func areDescribed(way: Way) async throws {
    let target = try way.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    let german = try await target.ask(.get("/kinds/german")).text
    #expect(
      german.contains(
        #""formats":[{"name":"n","format":"number","line":1,"column":17}],"actions":[],"partials":[],"locales":["de","en"],"#
      ),
      "\(german)")
    let plain = try await target.ask(.get("/kinds/plain")).text
    #expect(plain.contains(#""formats":[],"actions":[],"partials":[],"locales":[],"#), "\(plain)")
    let list = try await target.ask(.get("/kinds")).text
    #expect(list.contains(#"{"name":"d","format":"datetime short","line":1,"column":4}"#))
    let schema = try await target.ask(.get("/schemas/german")).text
    #expect(schema.contains(#""x-cellfactory-format":"number""#))
  }

  /// Which of several counts: the item's before the envelope's, that before the query's, that before the header's.
  private static let precedence = [
    ServiceCase(
      "locales",
      .post(
        "/cells?locale=de",
        #"{"locale":"de-AT","rows":[{"kind":"price","data":{"n":1234567.5},"locale":"en-IN"},{"kind":"price","data":{"n":1234567.5}}]}"#,
        ["Accept-Language": "ja"]), .html("<b>12,34,567.5</b><b>1\u{A0}234\u{A0}567,5</b>"),
      headers: ["Content-Language": "en-IN, de-AT", "Vary": "Accept"]),
    ServiceCase(
      "the query before the header",
      .post("/cells/price?locale=de", #"{"n":1.5}"#, ["Accept-Language": "en"]), .html("<b>1,5</b>"),
      headers: ["Vary": "Accept"]),
    ServiceCase(
      "an item's, and the header for the other",
      .post(
        "/cells", #"[{"kind":"price","data":{"n":1.5},"locale":"en"},{"kind":"price","data":{"n":1.5}}]"#,
        ["Accept-Language": "de"]),
      .html("<b>1.5</b><b>1,5</b>"),
      headers: ["Content-Language": "en, de", "Vary": "Accept, Accept-Language"]),
    ServiceCase(
      "an envelope's zone before the query's",
      .post(
        "/cells/day?time_zone=%2B05:00",
        #"{"timeZone":"Europe/Berlin","rows":[{"d":"2025-10-09T22:30:00Z"}]}"#),
      .html("<b>10/10/25, 12:30\u{202F}AM</b>")),
    ServiceCase(
      "an envelope's now before the query's",
      .post(
        "/cells/ago?now=2026-01-01T00:00:00Z",
        #"{"now":"2025-10-06T10:00:00Z","rows":[{"d":"2025-10-06T09:00:00Z"}]}"#),
      .html("<b>1 hour ago</b>")),
  ]

  @Test(arguments: Way.allCases) func theNearestDecides(way: Way) async throws {
    let target = try way.target { settings in
      settings.templates = Self.templates
      settings.locales = "de,ja"
    }
    try await target.check(Self.precedence)
  }

  /// A row's etag is that of what was drawn; outlets are the values as they were sent.
  @Test(arguments: Way.allCases) func etagsAndOutlets(way: Way) async throws {
    let target = try way.target { settings in
      settings.templates = Self.templates
      settings.locales = "de"
    }
    func etag(_ query: String, _ kind: String = "price", _ row: String = #"{"n":1.5}"#) async throws -> String
    {
      try await target.ask(.post("/cells/\(kind)?format=json&fields=etag&\(query)", row)).text
    }
    let english = try await etag("locale=en")
    #expect(try await etag("locale=en-US") == english)
    #expect(try await etag("locale=de") != english)
    let row = #"{"d":"2025-10-06T09:00:00Z"}"#
    let first = try await etag("now=2025-10-06T10:00:00Z", "ago", row)
    #expect(try await etag("now=2025-10-06T10:59:59Z", "ago", row) == first)
    #expect(try await etag("now=2025-10-06T11:00:00Z", "ago", row) != first)
    let outlets = try await target.ask(
      .post("/cells/german?format=json&fields=outlets&locale=de", #"{"n":1234.50}"#)
    ).text
    #expect(outlets.contains(#""outlets":{"n":1234.50}"#), "\(outlets)")
  }

  /// What formats print is escaped once more in answers that are JSON, and not at all in plain text.
  @Test(arguments: Way.allCases)
  func answersOfALocaleThatPrintsMarkup(way: Way) async throws {
    let target = try way.target { settings in
      settings.templates = [
        "a.mustache": #"<b title="{{n | number}}">{{l | list}}</b>"#,
        "b.txt.mustache": "{{{n | number}}} {{{l | list}}}",
      ]
      settings.madeUpLocale = "'\"</b>\\&\n"
    }
    let row = #"{"n":-1.5,"l":["x","y"]}"#
    let html =
      #"<b title="&#39;&quot;&lt;/b&gt;\&amp;~-1&#39;&quot;&lt;/b&gt;\&amp;~.5&#39;&quot;&lt;/b&gt;\&amp;~">"#
      + #"x&#39;&quot;&lt;/b&gt;\&amp;~ and y&#39;&quot;&lt;/b&gt;\&amp;~</b>"#
    let text = #"'"</b>\&~-1'"</b>\&~.5'"</b>\&~ x'"</b>\&~ and y'"</b>\&~"#
    func inJSON(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("~", with: "\\n")
    }
    try await target.check([
      ServiceCase("HTML", .post("/cells/a", row), .html(html.replacing("~", with: "\n"))),
      ServiceCase("text", .post("/cells/b", row), .text(text.replacing("~", with: "\n"))),
      ServiceCase(
        "JSON", .post("/cells/a?format=json&fields=html", row),
        .json("{\"rows\":[{\"index\":0,\"kind\":\"a\",\"html\":\"\(inJSON(html))\"}],\"errors\":0}")),
      ServiceCase(
        "NDJSON", .post("/cells/b?format=ndjson&fields=html", row),
        .ndjson("{\"index\":0,\"kind\":\"b\",\"text\":\"\(inJSON(text))\"}\n")),
    ])
  }

  @Test func misfitsAreCounted() async throws {
    let target = try Way.live.target { settings in
      for (name, text) in Self.templates { settings.templates[name] = text }
    }
    _ = try await target.ask(.post("/cells/price", #"[{"n":1},{"n":"x"},{"n":true}]"#))
    let scrape = try await target.ask(.get("/metrics")).text
    #expect(scrape.contains("cellfactory_unformatted_values_total 2\n"))
    let refused = try await target.ask(.post("/cells/day?missing=error", #"{"d":"2025-02-30"}"#)).text
    #expect(refused.contains(#"does not fit the format \"datetime short\""#), "\(refused)")
  }

  /// Renders a kind `late`, whose rows print a list `l` of numbers before they miss `x`; large ones pause.
  private static func targetOfLateFaults() throws -> any HTTPTarget {
    try Way.live.target { settings in
      settings.templates["late.html"] = """
        <div data-cell="late"><b data-outlet="l" data-format="number" data-missing="keep">1</b>\
        <i data-outlet="x" data-missing="error">x</i></div>
        """
      settings.service.sliceMicroseconds = 0
    }
  }

  /// A row that pauses, and then is bad, has printed nothing.
  @Test func misfitsOfABadRowThatHasPausedAreNotCounted() async throws {
    let target = try Self.targetOfLateFaults()
    let values = "\"l\":[" + String(repeating: "\"?\",", count: 9999) + "\"?\"]"
    for (number, format) in ["html", "json", "ndjson"].enumerated() {
      let rows = "[{\(values),\"x\":1},{\(values)}]"
      let answer = try await target.ask(.post("/cells/late?on_error=skip&format=\(format)", rows))
      #expect(answer.status == 200)
      let scrape = try await target.ask(.get("/metrics")).text
      #expect(scrape.contains("cellfactory_unformatted_values_total \(10_000 * (number + 1))\n"), "\(format)")
    }
  }

  /// A refused request has printed nothing, whether the bad row is its first, its last, or in between.
  @Test func misfitsOfARefusedRequestAreNotCounted() async throws {
    let target = try Self.targetOfLateFaults()
    var counted = 0
    for (name, count) in [("short", 3), ("paused", 20_000)] {
      let good = "{\"x\":1,\"l\":[" + String(repeating: "\"?\",", count: count - 1) + "\"?\"]}"
      for rows in ["\(good),{},\(good)", "{},\(good)", "\(good),{}", "\(good),\(good)"] {
        for format in ["html", "json"] {
          let isGood = !rows.contains("{}")
          let answer = try await target.ask(.post("/cells/late?format=\(format)", "[\(rows)]"))
          #expect(answer.status == (isGood ? 200 : 422))
          if isGood { counted += 2 * count }
          let scrape = try await target.ask(.get("/metrics")).text
          let isRight = scrape.contains("cellfactory_unformatted_values_total \(counted)\n")
          #expect(isRight, "\(name) \(format), rows of \(rows.utf8.count) bytes")
        }
      }
    }
  }

  @Test func theFormatInForceIsTold() async throws {
    let target = try Way.live.target { settings in
      settings.templates = ["a.mustache": "{{n | price}}"]
      settings.formats = #"{"price": "number", "price@de": "currency code"}"#
      settings.locales = "de"
    }
    let row = #"{"n":5,"code":"euro"}"#
    let refused = try await target.ask(.post("/cells/a?missing=error", row, ["Accept-Language": "de"])).text
    #expect(refused.contains(#"does not fit the format \"currency code\""#), "\(refused)")
    #expect(try await target.ask(.post("/cells/a?missing=error", row)).text == "5")
  }
}
