import Testing

@testable import CellServer

@Suite struct HTTPNegotiationTests {
  private func html(_ accept: String?) -> RowFormat? {
    Negotiation.format(requested: nil, accept: accept, available: RowFormats.ofHTMLCell)
  }

  @Test func aLongHeaderIsReadInPart() {
    let padding = String(repeating: "a/b,", count: 500)
    #expect(html(padding + "application/json") == .json)
    #expect(html(padding + padding + "application/json") == nil)
  }

  @Test(
    arguments: [
      (nil, .html), ("", .html), (" ", .html), (",", .html), (" , ,", .html),
      ("*/*", .html), (" */* ", .html), ("*/*;q=0.1", .html),
      ("text/html", .html), ("TEXT/HTML", .html), ("text/*", .html),
      ("application/json", .json), ("Application/JSON", .json), ("application/*", .json),
      ("application/x-ndjson", .ndjson),
      ("text/html;charset=utf-8", .html), ("text/html; charset=\"UTF-8\"", .html),
      ("text/html;level=1", .html),
      ("application/json;profile=\"a,b;q=0\"", .json), ("application/json;;q=0.5;", .json),
      // Equal q-values: html, json, ndjson, in any order.
      ("application/x-ndjson, application/json, text/html", .html),
      ("application/x-ndjson,application/json", .json),
      ("application/json, */*", .html),
      ("text/html;q=0.5,application/json;q=0.5", .html),
      // The highest q wins.
      ("text/html;q=0.5,application/json", .json),
      ("text/html;q=0.5,application/json;q=0.4,application/x-ndjson;q=0.501", .ndjson),
      ("text/html;Q=0.1, application/json;Q=0.2", .json),
      ("text/html; q=0.999, application/json; q=1.000", .json),
      ("text/html ; q=0.1 , application/json ; q=0.2", .json),
      ("*/*;q=0.1, application/json;q=0.2", .json),
      // The most specific range counts, in any position.
      ("*/*, text/html;q=0", .json), ("text/html;q=0, */*", .json),
      ("text/*, text/html;q=0.1, application/*;q=0.5", .json),
      ("application/*;q=0.9, application/json;q=0.1, text/html;q=0.2", .ndjson),
      ("*/*;q=0, application/x-ndjson", .ndjson), ("text/html;q=0, application/*;q=0.1", .json),
      ("text/html;level=1;q=0.1, text/html;q=0.9, application/json;q=0.5", .html),
      ("text/html;q=0.9, text/html;level=1;q=0.1, application/json;q=0.5", .html),
      ("text/html;level=1;q=0, */*", .html),
      ("text/html;q=0.2, text/html;q=0.8, application/json;q=0.5", .html),
      ("text/html;charset=utf-8;q=0.1, application/json;q=0.5", .json),
      // The header of a browser.
      ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", .html),
      ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", .html),
      ("image/gif, *; q=.2, */*; q=.2", .html),
      // Malformed elements are ignored.
      ("text/html;q=2, application/json;q=0.1", .json), ("text/html;q=-1, application/json;q=0.1", .json),
      ("text/html;q=, application/json;q=0.1", .json), ("text/html;q=a, application/json;q=0.1", .json),
      ("text/html;q=1.001, application/json;q=0.1", .json), ("text/html;q=., application/json;q=0.1", .json),
      ("text/html;q=0.5.5, application/json;q=0.1", .json), ("text/html;q, application/json;q=0.1", .json),
      ("text/html x, application/json", .json), ("text, application/json", .json),
      ("/html, application/json", .json),
      ("text/, application/json", .json), ("\"text/html, application/json\", application/x-ndjson", .ndjson),
      ("text/html;a=\"\\\", application/json;q=0.5\", application/json", .html),
      ("*/json, application/x-ndjson", .ndjson), ("nonsense", .html), ("text/html;q=2", .html), ("\"", .html),
      ("é/é, application/json", .json),
      // More digits than the grammar allows.
      ("text/html;q=0.0001, application/json;q=0.002", .json), ("text/html;q=0.0001", .html),
      ("text/html;q=0.8333, application/json;q=0.8", .html),
    ] as [(String?, RowFormat)])
  func picksForAnHTMLCell(_ accept: String?, _ expected: RowFormat) {
    #expect(html(accept) == expected, "\(accept ?? "no Accept")")
  }

  @Test(arguments: [
    "text/plain", "image/*", "application/xml", "*/*;q=0", "*/*;q=0.000", "text/html;q=0", "text/html;q=0.0",
    "application/*;q=0", "text/plain, image/png", "*/*;q=0, text/plain", "text/htmlx", "application/ndjson",
    "application/problem+json", "xtext/html",
  ])
  func findsNothingAcceptable(_ accept: String) {
    #expect(html(accept) == nil)
  }

  @Test(
    arguments: [
      (nil, .text), ("*/*", .text), ("text/*", .text), ("text/plain", .text), ("application/*", .json),
      ("text/plain;charset=utf-8", .text), ("application/json, text/plain", .text),
      ("text/html, */*;q=0.1", .text),
      ("text/html, application/json;q=0.1", .json), ("text/html", nil),
      ("text/html;q=0.5, text/plain;q=0", nil),
    ] as [(String?, RowFormat?)])
  func picksForATextCell(_ accept: String?, _ expected: RowFormat?) {
    #expect(
      Negotiation.format(requested: nil, accept: accept, available: RowFormats.ofTextCell) == expected)
  }

  @Test(
    arguments: [
      (nil, .html), ("*/*", .html), ("text/*", .html), ("text/plain", .text),
      ("text/plain, text/html", .html),
      ("text/plain, text/html;q=0.9", .text), ("image/png", nil),
    ] as [(String?, RowFormat?)])
  func picksForABatch(_ accept: String?, _ expected: RowFormat?) {
    #expect(Negotiation.format(requested: nil, accept: accept, available: RowFormats.ofAnyCell) == expected)
  }

  @Test(
    arguments: [
      (.json, "text/html", RowFormats.ofHTMLCell, .json),
      (.html, "*/*;q=0", RowFormats.ofHTMLCell, .html),
      (.ndjson, nil, RowFormats.ofTextCell, .ndjson), (.text, nil, RowFormats.ofHTMLCell, nil),
      (.text, "text/html", RowFormats.ofTextCell, .text), (.html, "*/*", RowFormats.ofTextCell, nil),
      (.text, "text/html", RowFormats.ofAnyCell, .text),
    ] as [(RowFormat, String?, [RowFormat], RowFormat?)])
  func theFormatOfTheQueryWins(
    _ requested: RowFormat, _ accept: String?, _ available: [RowFormat], _ expected: RowFormat?
  ) {
    #expect(Negotiation.format(requested: requested, accept: accept, available: available) == expected)
  }

  @Test func refusesWithTheList() {
    let problem = Negotiation.problem(available: RowFormats.ofTextCell)
    #expect(problem.code == .notAcceptable)
    for format in RowFormats.ofTextCell { #expect(problem.detail.contains(format.mediaType)) }
    #expect(!problem.detail.contains("text/html"))
  }

  static let contentTypes = [
    "text/html; charset=utf-8", "application/json", "application/x-ndjson", "text/plain; charset=utf-8",
    "text/vnd.turbo-stream.html; charset=utf-8",
  ]

  @Test func eachFormatHasAType() { #expect(Self.contentTypes.count == RowFormats.all.count) }

  @Test(arguments: zip(RowFormats.all, contentTypes))
  func anAnswerSaysItsType(_ format: RowFormat, _ contentType: String) {
    #expect(format.contentType.description == contentType)
    #expect(contentType.hasPrefix(format.mediaType))
  }

  /// The rest is not read: see `aLongHeaderIsReadInPart`.
  @Test func aHugeHeaderIsReadInPart() {
    #expect(html(String(repeating: "a/b;q=0.1,", count: 20_000) + "application/json") == nil)
    #expect(html(String(repeating: "\"", count: 200_001)) == .html)
    #expect(html("application/json" + String(repeating: ";", count: 200_000)) == .json)
    #expect(html("application/json;q=0." + String(repeating: "1", count: 200_000)) == .json)
    #expect(html(String(repeating: "x ", count: 100_000) + ",application/json") == .html)
  }
}
