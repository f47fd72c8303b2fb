import Scaling
import Testing

@testable import CellTemplates

/// The files that nibs link to: what is collected, what is reported, and what an archive holds of it.
@Suite struct AssetTests {
  static func source(_ files: [String: String], limitBytes: Int = 1000, url: String? = nil) -> AssetSource {
    var options = AssetOptions()
    (options.limitBytes, options.url) = (limitBytes, url)
    return AssetSource(
      files: NibFiles { path throws(NibFiles.Fault) in
        guard let text = files[path] else { throw .missing }
        if text.utf8.count > limitBytes { throw .tooLarge }
        return Array(text.utf8)
      }, options)
  }

  static func nib(_ text: String, name: String = "shop/feed") -> TemplateSource {
    TemplateSource(file: "t/\(name).html", kind: name, mode: .html, bytes: Array(text.utf8))
  }

  private static let page = """
    <link rel="stylesheet" href="feed.css?x"><link rel="icon" href="/rooted.png"><script src="a.js"></script>
    <style>@import "m.css"; .a { background: url(img/a.png) }</style>
    <p data-cell="a" style="background: url(img/b.png)"><img src="img/c.svg#x" srcset="img/d.png 1x, img/e.png 2x">
    <img data-embed src="img/f.gif"><img src="{{photo}}.png"><a href="img/no.png">x</a><img src="https://e.example/a.png"></p>
    """
  private static let files = [
    "shop/feed.css": "@font-face { src: url('f.woff2') } .x { b: url(../top.png) }",
    "shop/m.css": "@import 'feed.css';",
    "shop/f.woff2": "f", "top.png": "t", "shop/img/a.png": "a", "shop/img/b.png": "b", "shop/img/c.svg": "c",
    "shop/img/d.png": "d", "shop/img/e.png": "e", "shop/img/f.gif": "GIF89a", "shop/img/no.png": "no",
    "shop/a.js": "x",
  ]

  private static func compile(
    _ source: AssetSource, _ nib: TemplateSource = nib(page)
  ) throws(TemplateErrors) -> (archive: CellArchive, warnings: [Diagnostic]) {
    try TemplateCompiler.compile([], nibs: [nib], assets: source, with: TemplateSettings(files: source.files))
  }

  @Test func whatPagesLoadIsCollected() throws {
    let (archive, warnings) = try Self.compile(Self.source(Self.files))
    #expect(warnings.isEmpty, "\(warnings)")
    let paths = (0..<archive.tables.$assets.count).map { archive.text(archive.tables.$assets[$0].path) }
    #expect(
      paths == [
        "shop/f.woff2", "shop/feed.css", "shop/img/a.png", "shop/img/b.png", "shop/img/c.svg",
        "shop/img/d.png",
        "shop/img/e.png", "shop/m.css", "top.png",
      ])
    for (number, path) in paths.enumerated() {
      #expect(archive.asset(at: path) == number)
      #expect(archive.assetBytes(number).elementsEqual(Self.files[path]!.utf8))
      #expect(archive.assetType(number) == AssetType(path: path))
      #expect(archive.tables.$assets[number].hash == ContentHash(of: Array(Self.files[path]!.utf8)))
    }
    for path in ["", "shop", "shop/feed", "shop/feed.css/", "SHOP/feed.css", "shop/img/f.gif", "zzz"] {
      #expect(archive.asset(at: path) == nil)
    }
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.encoded() == archive.encoded() && read.asset(at: "top.png") == 8)
  }

  @Test func anyChangeOfAFileChangesTheHash() throws {
    let archive = try Self.compile(Self.source(Self.files)).archive
    var files = Self.files
    files["shop/f.woff2"] = "g"
    let changed = try Self.compile(Self.source(files)).archive
    #expect(changed.hash != archive.hash)
    #expect(changed.styleVersions.version(ofNib: 0) != archive.styleVersions.version(ofNib: 0))
    #expect(changed.styleVersions.all != archive.styleVersions.all)
    #expect(changed.tables.$kinds[0].version == archive.tables.$kinds[0].version)
  }

  @Test func withoutALimitNothingIsCollected() throws {
    let (archive, warnings) = try Self.compile(
      AssetSource(files: Self.source(Self.files).files, Self.source([:], limitBytes: 0).options))
    #expect(archive.tables.$assets.count == 0 && warnings.isEmpty)
  }

  /// At the link, in a nib or in a style sheet.
  @Test func missingFilesAreReportedWhereTheyAreNamed() throws {
    var files = Self.files
    for path in ["shop/img/a.png", "shop/img/e.png", "top.png"] { files[path] = nil }
    let warnings = try Self.compile(Self.source(files)).warnings
    #expect(
      warnings.map { "\($0.file):\($0.line):\($0.column) \($0.code.rawValue)" } == [
        "t/shop/feed.css:1:48 missing-asset", "t/shop/feed.html:2:46 missing-asset",
        "t/shop/feed.html:3:84 missing-asset",
      ])
    let outside = try Self.compile(Self.source(files), Self.nib("<img src=../../x.png>")).warnings
    #expect(
      outside.map(\.message) == [
        "the file \"../../x.png\" is outside the templates folder, so it is not served"
      ])
  }

  @Test func linksThatLeadBackAreAnErrorThatSaysSo() throws {
    // Each file is the same style sheet, under one more path. File systems bound the length of paths.
    let files = NibFiles { path throws(NibFiles.Fault) in
      if path.utf8.count > 60 { throw .missing }
      return Array("@import 'a/x.css'; @import 'b/x.css';".utf8)
    }
    let source = AssetSource(files: files, AssetOptions())
    let error = #expect(throws: TemplateErrors.self) {
      try Self.compile(source, Self.nib("<link rel=stylesheet href=x.css>"))
    }
    let diagnostic = try #require(error?.diagnostics.first { $0.code == .assetLimit })
    #expect(diagnostic.message.hasSuffix("nibs link to more than 10000 files"))
    #expect(diagnostic.hint.contains("lead back"))
  }

  @Test func tooManyBytesAreAnErrorAtTheLinkThatIsTooMuch() {
    let files = ["shop/a.png": "12345", "shop/b.png": "67890", "shop/c.png": "1"]
    let nib = Self.nib("<img src=a.png>\n<img src=b.png>\n<img src=c.png>")
    let error = #expect(throws: TemplateErrors.self) {
      try Self.compile(Self.source(files, limitBytes: 9), nib)
    }
    #expect(
      error?.diagnostics.map { "\($0.line):\($0.column) \($0.code.rawValue) \($0.severity.rawValue)" }
        == ["2:10 asset-limit error"])
    #expect(throws: Never.self) { try Self.compile(Self.source(files, limitBytes: 11), nib) }
    let large = #expect(throws: TemplateErrors.self) {
      try Self.compile(Self.source(files, limitBytes: 4), nib)
    }
    #expect(large?.diagnostics.map(\.line) == [1])
  }

  @Test(arguments: [
    ("https://cdn.example/cells", "https://cdn.example/cells/"), ("http://a/", "http://a/"),
    ("/x/y", "/x/y/"),
    ("//cdn.example/c", "//cdn.example/c/"), ("/", "/"),
    ("cdn.example", nil), ("ftp://a/", nil), ("javascript:alert(1)", nil), ("https:///x", nil),
    ("https://", nil),
    ("https://a/?x", nil), ("https://a/#x", nil), ("https://a/\"", nil), ("https://a/'", nil),
    ("https://a/ b", nil),
    ("https://a/<", nil), ("https://a/)", nil), ("https://a/\\", nil), ("https://a/ü", nil), ("", "/"),
    ("https://" + String(repeating: "a", count: 1020), nil),
  ])
  func addresses(_ text: String, _ normalized: String?) { #expect(AssetsURL.normalized(text) == normalized) }

  /// Browsers without scripts read it as markup.
  @Test func linksInsideOfNoscriptAreFound() {
    let page =
      "<noscript><img src=a.png></noscript><noembed><img src=b.png></noembed><textarea><img src=c.png></textarea>"
    let links = LinkScan.links(ofPage: Array(page.utf8), budget: LoadBudget())
    #expect(links.map(\.reference) == ["a.png", "b.png"])
  }

  /// A URL ends at white space, so commas may be in it.
  @Test(arguments: [
    ("a.png", ["a.png"]), (" a.png 1x,b.png 2x , c.png", ["a.png", "b.png", "c.png"]),
    (
      "https://a.example/w_300,c_fill/x.jpg 1x, data:image/png;base64,AA== 2x",
      ["https://a.example/w_300,c_fill/x.jpg", "data:image/png;base64,AA=="]
    ),
    ("a.png,, b.png (1,2) 3x, c.png", ["a.png", "b.png", "c.png"]), (",a,b,\tc", ["a,b", "c"]), ("", []),
    (" , ", []),
    ("a 1x", ["a"]), ("a,", ["a"]), ("a (b, c", ["a"]),
  ])
  func candidates(_ text: String, _ urls: [String]) {
    #expect(Array(SourceSetLinks.urls(in: text)) == urls)
    #expect(SourceSetLinks.replacing(in: text) { _ in nil } == text)
    let marked = SourceSetLinks.replacing(in: text) { "<\($0)>" }
    #expect(marked.replacing("<", with: "").replacing(">", with: "") == text)
    #expect(marked.count { $0 == "<" } == urls.count && urls.allSatisfy { marked.contains("<\($0)>") })
  }

  /// Every tag that names nothing must be looked at once, and every file.
  @Test(arguments: [
    "<img src=x.png>", "<p style=\"a:url(x.png)\">", "<style>@import 'x.css'; a{b:url(y.png)}</style>",
    "<img srcset='a.png 1x, b.png 2x,", "<link rel=stylesheet href=a.css>",
  ])
  func theCostIsLinear(_ piece: String) throws {
    let fault = Scaling.fault(from: 200) {
      Self.nib((0..<$0).map { piece.replacing("x.", with: "x\($0).") }.joined())
    } work: { nib in
      var collector = AssetCollector(from: Self.source([:]), budget: LoadBudget())
      collector.add(nib)
      _ = collector.diagnostics
    }
    #expect(fault == nil)
  }

  /// Style sheets that import each other.
  @Test func chainsOfSheetsAreLinear() throws {
    // Of four times as many, there may be so many.
    let fault = Scaling.fault(at: AssetCollector.fileLimit / 4) { count in
      var files: [String: String] = [:]
      for number in 0..<count {
        files["s\(number).css"] =
          "@import 's\(number + 1).css'; @import 's0.css'; @import 's\(number / 2).css';"
      }
      return files
    } work: { files in
      var collector = AssetCollector(from: Self.source(files, limitBytes: 1 << 30), budget: LoadBudget())
      collector.add(Self.nib("<link rel=stylesheet href=s0.css>", name: "n"))
      #expect(collector.assets.count == files.count)
    }
    #expect(fault == nil)
  }

  /// Beyond the budget, reading stops at once.
  @Test func theBudgetHolds() throws {
    let budget = LoadBudget(pieceLimit: 1000)
    let nib = Self.nib(String(repeating: "<img src=x>", count: 2000))
    let error = #expect(throws: TemplateErrors.self) {
      try TemplateCompiler.compile(
        [], nibs: [nib], assets: Self.source([:]), with: TemplateSettings(budget: budget))
    }
    #expect(error?.diagnostics.map(\.code) == [.loadLimit])
    var looks = 0
    let timed = LoadBudget(
      isOver: {
        looks += 1; return looks > 2
      }, message: "over", hint: "")
    var collector = AssetCollector(from: Self.source([:]), budget: timed)
    collector.add(Self.nib((0..<10_000).map { "<img src=\($0).png>" }.joined()))
    #expect(timed.isSpent && collector.diagnostics.count < 100)
  }
}
