import MadeUpLocales

@testable import CellTemplates
@testable import Cells

/// Compiles templates that are offered in every locale, and renders rows for a reader at a place and a time.
struct FormatHarness {
  static let now = "2025-10-09T12:00:00Z"

  let archive: CellArchive
  let factory: CellFactory

  /// - Parameter madeUp: a text that everything begins with that the locales print of their own.
  init(
    _ templates: [String: String], formats: String = "{}", standard: String = "en", others: String = "all",
    madeUp: String? = nil
  ) throws {
    let nibs = templates.filter { $0.key.hasSuffix(".html") }.map { file, text in
      TemplateSource(file: file, kind: String(file.dropLast(5)), mode: .html, bytes: Array(text.utf8))
    }
    let sources = templates.filter { !$0.key.hasSuffix(".html") }.map {
      RenderHarness.source($0.key, $0.value)
    }
    let names = try FormatsFile.read(Array(formats.utf8), file: "formats.json", budget: LoadBudget())
    let made = try TemplateCompiler.compile(
      sources, nibs: nibs,
      with: TemplateSettings(formats: names, locales: OfferedLocales(standard: standard, others: others))
    ).archive
    // As a server that reads an archive has it.
    archive = try CellArchive(
      decoding: madeUp.map { try Self.archive(made.encoded(), printing: $0) } ?? made.encoded())
    factory = CellFactory(archive: archive, reuse: ReusePolicy(), executor: InlineExecutor())
  }

  private static func archive(_ bytes: [UInt8], printing text: String) throws -> [UInt8] {
    var tables = try ArchiveFormat.decode(bytes)
    tables.pack = MadeUpLocale.pack(tables.pack, printing: text)
    return ArchiveFormat.encode(tables)
  }

  /// The outputs of rows, and how many values did not fit their formats. Each row comes several times, so that plans print it,
  /// too; a debug build compares both.
  func outputs(
    _ kind: String, _ rows: [String], locale: String? = nil, timeZone: String = "UTC", now: String = now,
    limits: RenderLimits = RenderLimits()
  ) throws -> (texts: [String], misfits: Int) {
    try factory.assumeIsolated { factory throws in
      let number = factory.archive.kindNumber(kind)!
      var setting = RenderSetting()
      setting.locales = ReaderLocales(locale.flatMap { LocaleTag($0) }.map { [$0] } ?? [])
      setting.clock = RenderClock(
        zone: timeZone, now: RenderClock.instant(now.utf8)!, in: TimeZoneSource.standard.current)!
      var texts: [String] = []
      var misfits = 0
      for pass in 0..<3 {
        var text = ByteBuffer()
        text.append(text: "[" + rows.joined(separator: ",") + "]")
        factory.forgetRows()
        let root = try factory.parser.parse(&text, in: 0..<text.count, names: factory.names, depthLimit: 512)
        let tape = factory.parser.tape(over: text)
        if factory.archive.rowUses(of: number).has(.locale) { factory.use(setting, for: number) }
        texts = []
        for (position, row) in tape.elements(of: root).enumerated() {
          let cell = factory.dequeueReusableCell(ofKind: number)
          defer { factory.enqueue(cell) }
          var run = RowRun(from: RowContext(row: row, index: position, count: rows.count), limit: 1)
          if pass == 1 {
            try factory.render(cell, run.next, on: tape, limits: limits, into: &cell.buffer)
          } else {
            try factory.render(cell, &run, on: tape, limits: limits, into: &cell.buffer)
          }
          texts.append(String(decoding: cell.buffer.bytes, as: UTF8.self))
        }
        misfits = factory.valueTally.misfits
        factory.forgetRows()
      }
      return (texts, misfits)
    }
  }

  func render(_ kind: String, _ row: String, locale: String? = nil, timeZone: String = "UTC") throws -> String
  {
    try outputs(kind, [row], locale: locale, timeZone: timeZone).texts[0]
  }
}
