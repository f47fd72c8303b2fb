import CellTemplates
import Scaling
import Testing

@testable import Cells

/// Archives with changed bytes and a corrected checksum: only the verifier protects a renderer that checks
/// nothing. Each is refused, or renders every row without harm.
///
/// `CELLFACTORY_MUTATIONS` multiplies the number of changed archives; the address sanitizer finds errors that
/// do not crash. Without it a debug build judges a tenth of them (`DailySample`).
@Suite struct ArchiveMutationTests {
  private static let templates = [
    "news.mustache":
      "{{! raw: allow }}\n<article>{{#author}}{{name}} {{{html}}}{{/author}}{{^author}}?{{/author}}\n"
      + "  {{>shop/price}}\n{{#c}}{{>news}}{{/c}}{{>*dynamic.name}}{{@index}}{{#l}}{{.}}{{@last}}{{/l}}{{l.1}}</article>\n",
    "shop/price.mustache": "{{amount}} {{currency.0.sign}}\n{{#l}}{{#.}}-{{/.}}{{/l}}\n",
    "base.mustache":
      "<main>\n  {{$body}}\n    default {{name}}\n  {{/body}}\n{{$foot}}{{/foot}}{{#l}}{{$body}}{{/body}}{{/l}}</main>",
    "page.mustache":
      "{{#l}}\n {{<base}}{{$body}}\n  {{title}}{{#l}}{{$foot}}d{{/foot}}{{/l}}\n  {{>shop/price}}\n{{/body}}"
      + "{{$foot}}{{^x}}end{{/x}}{{/foot}}{{/base}}\n{{/l}}",
    "deep.mustache":
      "{{<page}}{{$body}}\n  {{<base}}{{$foot}}{{#author}}{{name}}{{/author}}{{/foot}}{{/base}}\n{{/body}}{{/page}}",
    "digest.txt.mustache":
      "{{#l}}{{@first}}{{{title}}}\n{{/l}}  {{>*dynamic.name}}\n{{<*dynamic.name}}{{$body}}x{{/body}}{{/*dynamic.name}}",
    "empty.mustache": "",
    "formatted.html":
      "<div data-cell=formatted lang='{{@locale}}' dir='{{@dir}}'><time data-outlet=title data-format='date long'>d</time>"
      + "<data data-outlet=amount data-format='currency name symbol=narrow'>1</data><a data-outlet=l data-format=list "
      + "data-bind=\"title:amount | number digits=1-2; aria-label:'{title | datetime short}'\">x</a>{{x | percent sign=always}} "
      + "{{title | truncate 1}}{{l | list or}}{{title | relative short}}{{x | time epoch=ms}}"
      + "{{#x | plural one =0}}a{{/x}}{{^l | plural other}}b{{/l}}<p data-plural='amount ordinal'><b data-case='one two'>1</b>"
      + "<b data-case=other><u data-outlet=amount data-format=integer>n</u></b></p></div>",
    "nib.html":
      "<style>@import 'b.css'; a{b:url(c.svg#x)}</style><link rel=stylesheet href=a.css media=print><article data-cell=nib/news data-class='NewsCell Cell' data-outlet='.'><h2 data-outlet=title>t</h2>"
      + "<p data-outlet=author data-bind='title class hidden' class=c>{{#l}}<b data-outlet=name>n</b>{{/l}}{{>*dynamic.name}}</p>"
      + "<ul><li data-outlet=l data-action=pick>d<i data-outlet='.'>i</i></li></ul><input type=checkbox data-outlet=x><img data-tag=8 src=i>"
      + "<u data-when=\"x=1,{amount},'a' !c.d l.0<{l.1}\">w</u><em class='a b' style='top:1px;left:0' data-bind=\"class.a:x; class+:l; "
      + "title:'{title}-{.}'; style.top:amount; disabled:!x; hidden:c\">e</em><i data-outlet=l class=a data-bind=\"class.a:.=two; "
      + "class+:name; title:'{.}'; lang:@number; hidden:name\">i</i><img data-bind='src:author.name; alt:title' src=d>"
      + "<q data-outlet=l data-include=nib/data>d</q><q data-outlet=author data-include='*dynamic.name'>d</q><q data-include=empty>d</q><pre data-outlet=c>p</pre>{{<base}}{{$body}}<q data-outlet=owner.l.1>q</q>{{/body}}{{/base}}</article>"
      + "<script data-cell=nib/data data-class=Cell type=application/json data-outlet=author>{}</script>",
  ]

  private static let rows = [
    "{}", "null", "[1,[2,[3]],{\"name\":\"x\"}]",
    #"{"title":"T<","name":"n","author":{"name":"A&","html":"<b>"},"l":[1,"two",{"name":"three"},[]],"amount":19.90,"#
      + #""currency":[{"sign":"€"}],"dynamic":{"name":"page"},"x":0,"c":[{"l":[true]},{"c":{}}],"title":"last"}"#,
    #"{"dynamic":{"name":"digest"},"l":{"l":[[]]},"c":[{"dynamic":{"name":"shop/price"}}],"author":"text"}"#,
    #"{"title":"2025-10-09T22:30:00Z","amount":"1234.5","name":"EUR","x":12,"l":["a","b","c"]}"#,
    #"{"title":"2025-10-09","amount":1,"name":"XXX","x":0,"l":["a"]}"#,
    #"{"kind":1,"nib":2,"class":3,"id":4,"data":5,"etag":6,"owner":7,"rows":8,"body":9,"foot":10}"#,
  ]

  private static let samples = [
    "news":
      "[{\"author\":{\"name\":\"A\",\"html\":null},\"l\":[1,{\"x\":2.5},[true]]},{\"c\":[],\"author\":\"\"}]",
    "page": "[{\"title\":\"t\",\"other\":{\"a\":{\"b\":[[{}]]}}}]", "nib/data": "[\(rows[3])]",
  ]

  private static let assets: [String: String] = ["a.css": "a{b:url(c.svg)}", "b.css": "", "c.svg": "<svg/>"]

  private static func archive() throws -> [UInt8] {
    try RenderHarness.archive(templates, samples: samples, assets: assets, assetsURL: "https://cdn.example/")
      .encoded()
  }

  private struct Layout {
    let bytes: [UInt8]
    /// The bytes of each table.
    var tables: [(range: Range<Int>, rowBytes: Int)] = []

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      var start = 40 + 8 * ArchiveTables.tableNames.count
      for table in ArchiveTables.tableNames.indices {
        let rowBytes = Int(Self.word(bytes, 40 + 8 * table))
        let count = Int(Self.word(bytes, 44 + 8 * table))
        tables.append((start..<start + rowBytes * count, rowBytes))
        start += (rowBytes * count + 3) / 4 * 4
      }
    }

    static func word(_ bytes: [UInt8], _ position: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
    }

    static func put(_ word: UInt32, _ bytes: inout [UInt8], _ position: Int) {
      for byte in 0..<4 { bytes[position + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
    }
  }

  private static func repairChecksum(_ bytes: inout [UInt8]) {
    let hash = ContentHash(of: Array(bytes[40...]))
    for byte in 0..<8 {
      bytes[24 + byte] = UInt8(truncatingIfNeeded: hash.low >> UInt64(8 * byte))
      bytes[32 + byte] = UInt8(truncatingIfNeeded: hash.high >> UInt64(8 * byte))
    }
  }

  private struct Count {
    var refused = 0
    var rendered = 0
  }

  /// Reads an archive and, if it is accepted, renders every row with every kind.
  private func judge(_ altered: [UInt8], _ count: inout Count) throws {
    var bytes = altered
    Self.repairChecksum(&bytes)
    let archive: CellArchive
    do throws(ArchiveError) {
      archive = try CellArchive(decoding: bytes)
    } catch {
      switch error {
      case .inconsistent, .otherTables: count.refused += 1
      default: Issue.record("\(error)")
      }
      return
    }
    count.rendered += 1
    for kind in 0..<archive.tables.$kinds.count {
      var schema = ByteBuffer()
      SchemaWriter.append(UInt32(kind), of: archive, to: &schema)
      StrictSchemaWriter.append(UInt32(kind), of: archive, to: &schema)
      #expect(schema.bytes.last == UInt8(ascii: "\n"))
    }
    for nib in 0..<archive.tables.$nibs.count {
      _ = NibStyles(of: nib, in: archive)?.sheet(scope: ".a")
      #expect(archive.styleVersions.version(ofNib: nib) != "")
    }
    for asset in 0..<archive.tables.$assets.count {
      #expect(archive.asset(at: archive.text(archive.tables.$assets[asset].path)) == asset)
      #expect(ContentHash(of: archive.assetBytes(asset)) == archive.tables.$assets[asset].hash)
      _ = archive.assetType(asset)
    }
    let harness = RenderHarness(archive: archive)
    var limits = RenderLimits()
    limits.outputBytes = 2_000
    limits.missing = MissingPolicy.allCases[count.rendered % 3]
    let rows = archive.kindNames.flatMap { kind in Self.rows.map { (kind: kind, json: $0) } }
    let outcomes = try harness.outcomes(rows, owner: Self.rows[3], count: 3, limits: limits)
    #expect(outcomes.count == rows.count)
    _ = (0..<archive.tables.$kinds.count).map { number in
      let kind = archive.tables.$kinds[number]
      #expect(harness.outlets(of: UInt32(number), Self.rows[3]).json.first == UInt8(ascii: "{"))
      for part in archive.parts(of: kind) {
        _ = (part.knownRole, archive.text(part.name), archive.text(part.placeholder))
      }
      if kind.nib != noIndex {
        let nib = archive.tables.$nibs[Int(kind.nib)]
        let first = archive.firstKind(nib: archive.bytes(nib.name), class: nil)
        #expect(first == nil || archive.tables.$kinds[Int(first!)].nib != noIndex)
        _ = archive.texts(from: nib.styleStart, count: nib.styleCount)
      }
      _ = archive.texts(from: kind.classStart, count: kind.classCount)
      return archive.texts(from: kind.nameStart, count: kind.nameCount)
        + archive.texts(from: kind.partialStart, count: kind.partialCount)
    }
  }

  private static var rounds: Int {
    get throws { try #require(Int(TestEnvironment["CELLFACTORY_MUTATIONS"] ?? "1")) }
  }

  /// What part of the changed archives a debug build judges.
  private static let part = 10

  /// A plausible value for a word: an index nearby, the size of some table, or a special value.
  private static func value(insteadOf word: UInt32, _ layout: Layout, _ numbers: inout SeededNumbers)
    -> UInt32
  {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: return word &+ 1
    case 1: return word &- 1
    case 2: return UInt32.random(in: 0..<4, using: &numbers)
    case 3: return UInt32.random(in: 0..<64, using: &numbers)
    case 4: return [UInt32.max, UInt32.max - 1, 0x7FFF_FFFF, 0x8000_0000, 0].randomElement(using: &numbers)!
    case 5: return word ^ (1 << UInt32.random(in: 0..<32, using: &numbers))
    case 6:
      let table = layout.tables.randomElement(using: &numbers)!
      return UInt32(table.range.count / table.rowBytes) &+ UInt32.random(in: 0..<3, using: &numbers) &- 1
    default: return UInt32.random(in: 0..<256, using: &numbers)
    }
  }

  @Test func everyWordOfEveryTableChangedAlone() throws {
    let layout = Layout(try Self.archive())
    var numbers = DailySample.numbers(state: 1)
    var count = Count()
    for (name, table) in zip(ArchiveTables.tableNames, layout.tables).dropFirst() {
      // The tables of locales are long, and much alike.
      let step = name == "pack" ? 29 * 4 : 4
      for position in stride(from: table.range.lowerBound, to: table.range.upperBound, by: step)
      where DailySample.takes(oneIn: Self.part, &numbers) {
        for _ in 0..<(try Self.rounds) {
          var bytes = layout.bytes
          let word = Layout.word(bytes, position)
          Layout.put(Self.value(insteadOf: word, layout, &numbers), &bytes, position)
          try judge(bytes, &count)
        }
      }
    }
    let least = DailySample.count(100, oneIn: Self.part)
    #expect(count.refused > least && count.rendered > least, "\(count)")
  }

  /// Several words at once, in one table or in tables that refer to each other.
  @Test(arguments: [
    ["ops"], ["ops", "programs"], ["calls", "overrides", "ops"], ["links", "kinds", "programs"],
    ["blocks", "overrides", "ops"],
    ["outlets", "binds"], ["outlets", "binds", "ops", "paths"],
    ["conditions", "conditionLiterals", "binds", "ops"], ["nibs", "parts", "kinds", "texts"],
    ["parts"],
    ["sampleTypes"], ["sampleTypes", "kinds", "parts"], ["assets"], ["assets", "assetBytes"],
    ["assets", "nibs", "texts", "assetsURL"],
    ["names", "paths", "segments"], ["names", "paths", "segments", "calls"], ["kinds", "texts", "literals"],
  ])
  func severalWordsOfTablesChangedTogether(_ names: [String]) throws {
    let layout = Layout(try Self.archive())
    let tables = names.map { layout.tables[ArchiveTables.tableNames.firstIndex(of: $0)!] }
    var numbers = DailySample.numbers(
      state: UInt64(truncatingIfNeeded: names.joined().utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    var count = Count()
    let cases = DailySample.count(150 * (try Self.rounds), oneIn: Self.part)
    for _ in 0..<cases {
      var bytes = layout.bytes
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let table = tables.randomElement(using: &numbers)!
        let position =
          table.range.lowerBound + 4 * Int.random(in: 0..<max(table.range.count / 4, 1), using: &numbers)
        Layout.put(Self.value(insteadOf: Layout.word(bytes, position), layout, &numbers), &bytes, position)
      }
      try judge(bytes, &count)
    }
    #expect(count.refused + count.rendered == cases)
    #expect(!DailySample.isWhole || count.refused > 0 && count.rendered > 0, "\(count)")
  }

  /// Swaps whole rows of a table, so that all marks and ranges stay valid but the order changes.
  @Test(arguments: [
    "ops", "programs", "calls", "overrides", "blocks", "outlets", "binds", "links", "nibs", "parts", "names",
    "paths", "kinds", "sampleTypes", "assets",
  ])
  func rowsOfATableCopiedOverOthers(_ name: String) throws {
    let layout = Layout(try Self.archive())
    let table = layout.tables[ArchiveTables.tableNames.firstIndex(of: name)!]
    let rows = table.range.count / table.rowBytes
    var numbers = DailySample.numbers(
      state: UInt64(truncatingIfNeeded: name.utf8.reduce(11) { $0 &* 31 &+ Int($1) }))
    var count = Count()
    let cases = DailySample.count(60 * (try Self.rounds), oneIn: Self.part)
    for _ in 0..<cases {
      var bytes = layout.bytes
      let from = table.range.lowerBound + table.rowBytes * Int.random(in: 0..<rows, using: &numbers)
      let to = table.range.lowerBound + table.rowBytes * Int.random(in: 0..<rows, using: &numbers)
      let kept = bytes[to..<to + table.rowBytes]
      bytes.replaceSubrange(to..<to + table.rowBytes, with: layout.bytes[from..<from + table.rowBytes])
      if Bool.random(using: &numbers) { bytes.replaceSubrange(from..<from + table.rowBytes, with: kept) }
      try judge(bytes, &count)
    }
    #expect(count.refused + count.rendered == cases)
  }

  /// The directory of tables with their sizes and row counts.
  @Test func theDirectoryChanged() throws {
    let layout = Layout(try Self.archive())
    var numbers = SeededNumbers(state: 3)
    var count = Count()
    for position in stride(from: 40, to: 40 + 8 * ArchiveTables.tableNames.count, by: 4) {
      for _ in 0..<20 {
        var bytes = layout.bytes
        Layout.put(Self.value(insteadOf: Layout.word(bytes, position), layout, &numbers), &bytes, position)
        try judge(bytes, &count)
      }
    }
    #expect(count.refused > 400, "\(count)")
  }

  @Test func bytesOfTheLiteralsChanged() throws {
    let layout = Layout(try Self.archive())
    var numbers = DailySample.numbers(state: 4)
    var count = Count()
    for position in layout.tables[0].range where DailySample.takes(oneIn: Self.part, &numbers) {
      var bytes = layout.bytes
      bytes[position] = UInt8.random(in: 0...255, using: &numbers)
      try judge(bytes, &count)
    }
    #expect(count.refused > 0 && count.rendered > 0, "\(count)")
  }
}
