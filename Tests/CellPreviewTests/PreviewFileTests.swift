@testable import CellPreview
import CellServer
import CellTemplates
import Cells
import Foundation
import Scaling
import Testing

/// The files of the folder that pages may load.
@Suite struct PreviewFileTests {
  private static let nib = """
    <link rel="stylesheet" href="style/a.css?v=2"><style>@import "style/c.css"; p { background: url( 'img/bg.png' ) }</style>
    <p data-cell="a" style="background:url(img/own.gif)"><img src="img/a.png" srcset="img/b.png 2x, img/c.png 3x" alt="">
    <img data-outlet="x" src="img/drawn&#46;svg" alt=""><a href="img/linked.png">x</a></p>
    <script src="run.js"></script><img src="../../etc/passwd.png" alt=""><img src="notes.txt" alt=""><video poster="img/p.jpg"></video>
    """

  private static func target() throws -> PreviewTarget {
    let images = [
      "bg.png", "own.gif", "a.png", "b.png", "c.png", "drawn.svg", "linked.png", "deep.png", "p.jpg",
      "unused.png",
    ]
    let target = try PreviewTarget([
      "n.html": nib, "style/a.css": "@import url(b.css); @font-face { src: url(\"f.woff2\") }",
      "style/b.css": "p { background: url(../img/deep.png) } @import 'a.css';", "style/c.css": "",
      "style/f.woff2": "font",
      "run.js": "x", "notes.txt": "x", "style/unused.css": "x",
    ])
    for image in images { try target.write(image, to: "img/" + image) }
    try target.reload()
    return target
  }

  @Test func onlyWhatNibsLoadIsServed() throws {
    #expect(
      try #require(Self.target().preview.edition).files.keys.map(\.text).sorted() == [
        "img/a.png", "img/b.png", "img/bg.png", "img/c.png", "img/deep.png", "img/drawn.svg", "img/own.gif",
        "img/p.jpg",
        "style/a.css", "style/b.css", "style/c.css", "style/f.woff2",
      ])
  }

  /// As archives serve them: `é` has two forms, which are two names.
  @Test func pathsAreToldApartByTheirBytes() async throws {
    let target = try PreviewTarget([
      "n.html":
        #"<link rel="stylesheet" href="e%CC%81.css"><link rel="stylesheet" href="%C3%A9.css"><p data-cell="a">x</p>"#,
      "e\u{301}.css": "p { color: red }", "\u{E9}.css": "p { color: green }",
    ])
    #expect(await target.get("/preview/files/e%CC%81.css").text == "p { color: red }")
    #expect(await target.get("/preview/files/%C3%A9.css").text == "p { color: green }")
  }

  @Test(arguments: [
    ("style/a.css", "text/css; charset=utf-8"), ("img/drawn.svg", "image/svg+xml"),
    ("style/f.woff2", "font/woff2"),
  ])
  func filesDoNothingByThemselves(path: String, type: String) async throws {
    let target = try Self.target()
    let answer = await target.get("/preview/files/" + path)
    #expect(answer.status == 200 && answer["Content-Type"] == type)
    #expect(answer["Content-Security-Policy"] == "sandbox; default-src 'none'")
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    let known = try #require(answer["ETag"])
    #expect(await target.get("/preview/files/" + path, headers: [("If-None-Match", known)]).status == 304)
  }

  /// A link out of the folder, to a file that could be a style sheet.
  @Test func linksThatLeaveTheFolderLeadNowhere() async throws {
    let target = try PreviewTarget([
      "n.html": #"<link rel="stylesheet" href="out.css"><p data-cell="a">x</p>"#
    ])
    let outside = target.folder + ".css"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: outside))
    defer { try? FileManager.default.removeItem(atPath: outside) }
    try FileManager.default.createSymbolicLink(atPath: target.folder + "/.out", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: target.folder + "/out.css", withDestinationPath: ".out")
    #expect(target.preview.update() != nil, "the link is an error")
    #expect(await target.get("/preview/files/out.css").status == 404)
  }

  /// Large bodies are sent in pieces, and nothing of them stays in the budget.
  @Test func largeFilesAndPagesAreWhole() async throws {
    let target = try PreviewTarget([
      "n.html": #"<link rel="stylesheet" href="big.css"><p data-cell="a"><b data-outlet="x">y</b></p>"#,
      "big.css": String(repeating: "p { color: red }\n", count: 30_000),
    ])
    let text = String(repeating: "long ", count: 40_000)
    try target.write("[{\"x\": \"\(text)\"}]", to: "a.sample.json")
    try target.reload()
    let file = await target.get("/preview/files/big.css")
    #expect(file.isComplete && file.body.count == 510_000 && file["Content-Length"] == "510000")
    let known = try #require(file["ETag"])
    let unchanged = await target.get("/preview/files/big.css", headers: [("If-None-Match", known)])
    #expect(unchanged.status == 304 && unchanged.body.isEmpty)
    let frame = await target.get("/preview/frame/a")
    #expect(frame.isComplete && frame.text.contains(text))
    let head = await target.get("/preview/frame/a", method: "HEAD")
    #expect(head.body.isEmpty && head["Content-Length"] == String(frame.body.count))
    #expect(await target.heldBytes() == 0)
  }

  /// A style sheet that was changed changes every page.
  @Test func changesOfFilesAreNoticed() async throws {
    let target = try Self.target()
    let before = try #require(target.preview.edition)
    #expect(target.preview.update() == nil)
    #expect(try #require(target.preview.edition).hash == before.hash)
    try target.write("p {}", to: "style/c.css")
    #expect(target.preview.update() == nil)
    let after = try #require(target.preview.edition)
    #expect(after.hash != before.hash && after.changes(since: before) == ["a"])
    #expect(await target.get("/preview/files/style/c.css").text == "p {}")
  }

  /// Unclosed quotes and brackets must not be searched again and again.
  @Test func scanningIsLinear() {
    let fault = Scaling.fault(from: 1000) {
      Array(String(repeating: "<p style=\"url('\">@import 'url(", count: $0).utf8)
    } work: { page in
      _ = LinkScan.links(ofPage: page, budget: LoadBudget())
    }
    #expect(fault == nil)
  }

  /// What is shown is read under a budget of its own. Whenever that ends it, the error is shown, and no part of the kinds.
  @Test func anEditionMayEndAtAnyMoment() throws {
    let target = try PreviewTarget([
      "feed.html":
        #"<style>.x { background: url(p.png) }</style><p data-cell="a">{{x}}</p><p data-cell="b">{{y}}</p>"#,
      "c.mustache": "<b>{{z}}</b>", "c.sample.json": #"[{"z": 1}]"#, "p.png": "x",
    ])
    let archive = try CellArchive.compiling(folder: target.folder)
    var (moments, last) = (0, Int.max)
    let isOver = {
      moments += 1
      return moments >= last
    }
    func edition() throws(TemplateErrors) -> PreviewEdition {
      try PreviewEdition(
        of: archive, in: target.folder,
        budget: LoadBudget(isOver: isOver, message: "too long", hint: "", stride: 1))
    }
    #expect(try edition().kinds.count == 3)
    let all = moments
    try #require(all > 10)
    for moment in 1...all {
      (moments, last) = (0, moment)
      #expect(throws: TemplateErrors.self, "at \(moment) of \(all)") { try edition() }
    }
  }
}
