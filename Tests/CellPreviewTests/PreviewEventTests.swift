@testable import CellPreview
import CellServer
import CellTemplates
import Cells
import Testing

/// What open pages are told.
@Suite struct PreviewEventTests {
  private static func events(_ target: PreviewTarget) async -> [(name: String, data: String)] {
    let text = await target.get("/preview/events").text
    return text.split(separator: "\n\n").compactMap { event in
      let lines = event.split(separator: "\n")
      guard lines.count == 2 else { return nil }
      return (String(lines[0].dropFirst("event: ".count)), String(lines[1].dropFirst("data: ".count)))
    }
  }

  @Test func aNewPageIsToldHowThingsAre() async throws {
    let target = try PreviewTarget(["a.html": #"<p data-cell="a"><b data-outlet="x">y</b></p>"#])
    let answer = await target.get("/preview/events")
    #expect(answer.status == 200 && answer["Content-Type"] == "text/event-stream")
    #expect(answer["Cache-Control"] == "no-store" && answer.text.hasPrefix("retry: "))
    var events = await Self.events(target)
    #expect(events.map(\.name) == ["reloaded", "checked"])
    #expect(events[0].data.contains(#""kinds":[]"#) && events[1].data.contains(#""warnings":0"#))

    try target.write(#"<p data-cell="a">\n<b data-outlet="x">y</p>"#, to: "a.html")
    try target.reload()
    events = await Self.events(target)
    #expect(events.map(\.name) == ["reloaded", "checked", "failed"])
    let failure = try #require(events.last?.data)
    #expect(
      failure.contains(#""errors":1"#)
        && failure.contains(#""source":"<p data-cell=\"a\">\\n<b data-outlet"#), "\(failure)")
    #expect(failure.contains(#""html":"<ol>"#))
    // The cells are as they were.
    #expect(await target.get("/preview/frame/a").status == 200)

    try target.write(#"<p data-cell="a"><i data-outlet="x">y</i></p>"#, to: "a.html")
    try target.reload()
    events = await Self.events(target)
    #expect(events.map(\.name) == ["reloaded", "checked"] && events[0].data.contains(#""kinds":["a"]"#))
  }

  /// Cells are shown before their samples are checked, and only those of the last load are.
  @Test func checksHoldUpNothing() async throws {
    func cell(_ text: String) -> String { "<p data-cell=\"a\"><b data-outlet=\"x\">\(text)</b></p>" }
    let target = try PreviewTarget(["a.html": cell("1"), "a.sample.json": "[{}]"])
    target.checks.hold()
    for text in ["2", "3"] {
      try target.write(cell(text), to: "a.html")
      try target.reload()
      let events = await Self.events(target)
      #expect(events.map(\.name) == ["checked", "reloaded"] && events[1].data.contains(#""kinds":["a"]"#))
    }
    let before = await Self.events(target)
    try target.write(#"[{"x":"1","y":2}]"#, to: "a.sample.json")
    try target.reload()
    try target.write("<p data-cell=\"a\"></b>", to: "a.html")
    try target.reload()
    target.checks.go()
    let after = await Self.events(target)
    #expect(after.map(\.name) == ["checked", "reloaded", "failed"])
    #expect(after[0].data == before[0].data, "no check of an earlier load is shown")
  }

  /// The cells are served, because samples are not read for that.
  @Test func aSampleThatCannotBeReadIsShown() async throws {
    let cell = #"<p data-cell="a"><b data-outlet="x">y</b></p>"#
    let large = "[\"\(String(repeating: "x", count: 17 << 20))\"]"
    let target = try PreviewTarget(["a.html": cell, "a.sample.json": large], mayFail: true)
    #expect(target.preview.update()?.diagnostics.map(\.hint) == ["make it smaller, or move it away"])
    let page = await target.get("/")
    #expect(page.status == 200 && page.text.contains("<html"))
    #expect(await Self.events(target).map(\.name) == ["failed"])
    #expect(await target.get("/preview/a").status == 404)
    try target.write("[{}]", to: "a.sample.json")
    try target.reload()
    #expect(await Self.events(target).map(\.name) == ["reloaded", "checked"])
    #expect(await target.get("/preview/a").status == 200)
  }

  @Test func theNamesOfVeryManyKindsAreLeftOut() async throws {
    func nib(_ text: String) -> String {
      (0..<200).map { "<p data-cell=\"\(String(repeating: "k", count: 100))\($0)\">\(text)</p>" }.joined()
    }
    let target = try PreviewTarget(["a.html": nib("x")])
    try target.write(nib("y"), to: "a.html")
    try target.reload()
    let events = await Self.events(target)
    #expect(events.first?.name == "reloaded" && events.first?.data.contains("kinds") == false)
  }

  /// A kind has changed if a cell that it calls has, or its sample, or the page around it.
  @Test func theKindsThatChangedAreNamed() throws {
    let target = try PreviewTarget([
      "a.html": #"<p data-cell="a"><b data-include="b">x</b></p>"#, "b.html": #"<i data-cell="b">1</i>"#,
      "c.html": #"<p>scenery</p><i data-cell="c">1</i>"#, "c.sample.json": "[{}]",
    ])
    var before = try #require(target.preview.edition)
    func changes(_ file: String, _ text: String) throws -> [String] {
      try target.write(text, to: file)
      try target.reload()
      let after = try #require(target.preview.edition)
      defer { before = after }
      return after.changes(since: before)
    }
    #expect(try changes("b.html", #"<i data-cell="b">2</i>"#) == ["a", "b"])
    #expect(try changes("c.html", #"<p>other scenery</p><i data-cell="c">1</i>"#) == ["c"])
    #expect(try changes("c.sample.json", "[{}, {}]") == ["c"])
    #expect(try changes("d.html", #"<i data-cell="d">1</i>"#) == ["d"])
  }

  /// A stream that was asked twice without news shows that it lives, once.
  @Test func aQuietStreamSendsComments() {
    let readiness = Readiness()
    readiness.set(true)
    let events = PreviewEvents()
    #expect(events.open())
    let stream = EventStream(of: events, while: readiness)
    let factory = CellFactory(
      archive: PageNibs.shared.archive, reuse: ReusePolicy(), executor: InlineExecutor())
    nonisolated(unsafe) let work: any AnswerWork = stream
    func piece() -> String {
      factory.assumeIsolated { factory in
        var output = ByteBuffer()
        var body = ByteBuffer()
        let progress = work.write(into: &output, bytes: 100, over: &body, sharers: 1, factory: factory)
        return (progress == .complete ? "end" : "") + String(decoding: output.bytes, as: UTF8.self)
      }
    }
    #expect(piece() == "retry: 1000\n\n")
    #expect(piece() == "")
    #expect(piece() == ":\n\n")
    #expect(piece() == "")
    events.post(.reloaded, Array("{}".utf8))
    #expect(piece() == "event: reloaded\ndata: {}\n\n")
    #expect(piece() == "")
    // In pieces, of which the stream of a client that does not read keeps one.
    events.post(.failed, Array(String(repeating: "x", count: 150).utf8))
    events.post(.checked, Array("{}".utf8))
    let parts = [piece(), piece()]
    #expect(parts[0].utf8.count == 100, "a piece has 100 bytes at most")
    #expect(parts.joined() == "event: failed\ndata: \(String(repeating: "x", count: 150))\n\n")
    #expect(piece() == "event: checked\ndata: {}\n\n")
    #expect(piece() == "")
    readiness.set(false)
    #expect(piece() == "end")
    stream.end()
  }

  @Test func streamsAreLimited() async throws {
    let target = try PreviewTarget(["a.html": #"<p data-cell="a">x</p>"#])
    for _ in 0..<PreviewEvents.streamLimit { #expect(target.preview.events.open()) }
    let answer = await target.get("/preview/events")
    #expect(answer.status == 503 && answer["Retry-After"] != nil)
    target.preview.events.close()
    #expect(await target.get("/preview/events").status == 200)
  }
}
