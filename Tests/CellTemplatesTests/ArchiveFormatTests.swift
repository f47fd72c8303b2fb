import Testing

@testable import CellTemplates

@Suite struct ArchiveFormatTests {
  /// Every kind of tag, in cells that call each other.
  static let templates: KeyValuePairs<String, String> = [
    "news.mustache":
      "{{! raw: allow }}\n<article>{{#author}}{{name}} {{{html}}}{{/author}}{{^author}}?{{/author}}\n"
      + "  {{>shop/price}}\n{{>*dynamic.name}}{{@index}}{{.}}</article>\n",
    "shop/price.mustache": "{{amount}} {{currency.0.sign}}\n{{>news}}",
    "base.mustache": "<main>\n  {{$body}}\n    default\n  {{/body}}\n{{$foot}}{{/foot}}</main>",
    "page.mustache":
      "{{<base}}{{$body}}\n  {{title}}\n  {{>shop/price}}\n{{/body}}{{$foot}}end{{/foot}}{{/base}}",
    "digest.txt.mustache": "{{#rows}}{{@first}}{{{title}}}\n{{/rows}}  {{>*which}}\n",
    "empty.mustache": "",
  ]

  static let archive = Result { try Templates.archive(templates) }

  /// The same with a nib that has every form of outlet.
  static let nib =
    "<style>a</style><article data-cell=nib/news data-class='NewsCell Cell'><h2 data-outlet=title>t</h2>"
    + "<p data-outlet=author data-bind='title class hidden' class=c>{{#l}}<b data-outlet=name>n</b>{{/l}}</p>"
    + "<b data-tag=7 data-action=pick>d</b><input type=checkbox data-outlet=x></article>"
    + "<script data-cell=nib/data data-class=Cell type=application/json data-outlet=author>{}</script>"

  static let archiveWithNib = Result {
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    return try TemplateCompiler.compile(Templates.sources(templates), nibs: [source]).archive
  }

  @Test func theOrderAndPathsOfTemplatesDoNotChangeTheBytes() throws {
    let expected = try Self.archive.get().encoded()
    var sources = Templates.sources(Self.templates)
    for round in 0..<20 {
      sources = sources.shuffled().map {
        TemplateSource(file: "elsewhere/\(round)/\($0.kind)", kind: $0.kind, mode: $0.mode, bytes: $0.bytes)
      }
      let archive = try TemplateCompiler.compile(sources).archive
      #expect(archive.encoded() == expected)
    }
  }

  @Test func anyChangeOfATemplateChangesTheHash() throws {
    let hash = try Self.archive.get().hash
    for changed in Self.templates.map(\.key) {
      let sources = Self.templates.map { file, text in
        Templates.source(file, Array((file == changed ? text + " " : text).utf8))
      }
      #expect(try TemplateCompiler.compile(sources).archive.hash != hash, "\(changed)")
    }
    let asText = Self.templates.map { file, text in
      Templates.source(file == "empty.mustache" ? "empty.txt.mustache" : file, Array(text.utf8))
    }
    #expect(try TemplateCompiler.compile(asText).archive.hash != hash)
  }

  @Test func anArchiveReadFromItsBytesIsTheSame() throws {
    let archive = try Self.archive.get()
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.encoded() == archive.encoded())
    #expect(read.hash == archive.hash)
    #expect(read.hash.count == 32)
    #expect(read.kindNames == ["base", "digest", "empty", "news", "page", "shop/price"])
    for name in read.kindNames { #expect(read.kindNumber(name) == archive.kindNumber(name)) }
    for name in ["", "new", "newsx", "shop", "shop/price/", "NEWS"] { #expect(read.kindNumber(name) == nil) }
  }

  @Test func anArchiveOfNothingIsAnArchive() throws {
    let archive = try TemplateCompiler.compile([]).archive
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.kindCount == 0)
    #expect(read.hash == archive.hash)
    #expect(read.kindNumber("news") == nil)
  }

  /// Fails if the format or the compiler's output has changed, as every archive's hash has then. If the same directory has
  /// come to mean something else, increase `ArchiveFormat.version`, unless no archive of this version has been released.
  @Test func theFormatIsStable() throws {
    let archive = try Templates.archive(["hi.mustache": "Hi {{name}}!"])
    #expect(archive.hash == "ef8f75be63c835772252c1dc7e060fe0")
    #expect(archive.encoded().count == 764)
    let large = try Self.archive.get()
    #expect(large.hash == "381fb9c915d8763b935358a3cac003ca")
    #expect(
      archive.tables.$ops.array == [
        Op(.value, a: 0, b: Escaper.html.rawValue, c: 0, literal: LiteralRef(offset: 52, count: 3)),
        Op(.end, literal: LiteralRef(offset: 55, count: 1)),
      ])
    #expect(Array(archive.encoded().prefix(12)) == Array("CELLARCH".utf8) + [7, 0, 0, 0])
    // The directory would not show that two tables with entries of the same size have changed places.
    #expect(
      ArchiveTables.tableNames == [
        "literals", "names", "segments", "paths", "ops", "programs", "calls", "overrides", "blocks",
        "outlets",
        "binds", "conditions", "conditionLiterals", "links", "nibs", "parts", "texts", "kinds", "schemes",
        "formats", "formatVariants", "locales", "pack", "sampleTypes", "assets", "assetBytes", "assetsURL",
      ])
  }

  @Test func anArchiveCutAnywhereIsRefused() throws {
    let bytes = try Self.archive.get().encoded()
    for length in 0..<bytes.count {
      let error = #expect(throws: ArchiveError.self) { try CellArchive(decoding: Array(bytes[..<length])) }
      if length < 8 {
        #expect(error == .notAnArchive)
      } else if case .truncated(_, length)? = error {
      } else {
        Issue.record("\(length): \(String(describing: error))")
      }
    }
  }

  @Test func oneChangedByteAnywhereIsNoticed() throws {
    let bytes = try Self.archive.get().encoded()
    for position in bytes.indices {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var altered = bytes
        altered[position] ^= change
        let error = #expect(throws: ArchiveError.self, "byte \(position)") {
          try CellArchive(decoding: altered)
        }
        switch (position, error) {
        case (0..<8, .notAnArchive?), (8..<12, .unsupportedVersion?), (12..<16, .otherTables?): break
        case (16..<24, .truncated?), (16..<24, .trailingBytes?), (24..., .damaged?): break
        default: Issue.record("byte \(position): \(String(describing: error))")
        }
      }
    }
  }

  @Test func otherFilesAndVersionsAreRefusedWithAReason() throws {
    let bytes = try Self.archive.get().encoded()
    func refusal(_ bytes: [UInt8]) -> ArchiveError? {
      #expect(throws: ArchiveError.self) { try CellArchive(decoding: bytes) }
    }
    #expect(refusal([]) == .notAnArchive)
    #expect(refusal(Array("{\"rows\":[]}".utf8)) == .notAnArchive)
    #expect(refusal([UInt8](repeating: 0, count: 1000)) == .notAnArchive)
    #expect(refusal(bytes + [0]) == .trailingBytes(1))
    #expect(refusal(bytes + bytes) == .trailingBytes(bytes.count))
    #expect(refusal(Array(bytes[..<8]) + [1, 0, 0, 0] + bytes[12...]) == .unsupportedVersion(1))
    #expect(refusal(Array(bytes[..<39])) == .truncated(expected: 40, actual: 39))
    #expect(refusal(Array("CELLARCH".utf8)) == .truncated(expected: 40, actual: 8))
  }

  /// A file whose tables are not those of this release is not damaged. It has another directory, so that no release needs
  /// to raise the version for a new table.
  @Test func anArchiveWithOtherTablesIsOfAnotherRelease() throws {
    let bytes = try TemplateCompiler.compile([]).archive.encoded()
    let count = ArchiveTables.tableNames.count
    func refusal(_ change: (inout [UInt8]) -> Void) -> ArchiveError? {
      var bytes = bytes
      change(&bytes)
      let hash = ContentHash(of: Array(bytes[40...]))
      var header = Array("CELLARCH".utf8) + bytes[8..<16]
      header.append(longWord: UInt64(bytes.count))
      header.append(longWord: hash.low)
      header.append(longWord: hash.high)
      return #expect(throws: ArchiveError.self) { try CellArchive(decoding: header + bytes[40...]) }
    }
    // One more, without entries.
    let added = refusal { bytes in
      bytes[12] += 1
      bytes.insert(contentsOf: [12, 0, 0, 0, 0, 0, 0, 0], at: 40 + 8 * count)
    }
    #expect(added == .otherTables)
    // The last one, which has no entries, less.
    let removed = refusal { bytes in
      bytes[12] -= 1
      bytes.removeSubrange(32 + 8 * count..<40 + 8 * count)
    }
    #expect(removed == .otherTables)
    for table in 0..<count {
      #expect(refusal { $0[40 + 8 * table] += 4 } == .otherTables, "\(ArchiveTables.tableNames[table])")
    }
    // Too short for its directory.
    #expect(
      refusal { $0.removeSubrange(100...) } == .inconsistent("it does not have \(count) tables"))
  }

  @Test(
    arguments: [
      .notAnArchive, .unsupportedVersion(7), .otherTables, .truncated(expected: 9, actual: 3),
      .trailingBytes(4),
      .damaged, .inconsistent("an operation is unknown"),
    ] as [ArchiveError])
  func everyRefusalStatesTheReason(_ error: ArchiveError) {
    #expect(error.description.contains("archive"))
  }
}
