import ArgumentParser
import CellServer
import CellTemplates
import Cells

/// A format as the value of an option.
struct FormatArgument: ExpressibleByArgument {
  let format: RowFormat

  init?(argument: String) {
    guard let format = RowFormats.named(argument), RowFormats.ofAnyCell.contains(format) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { RowFormats.ofAnyCell.map(\.name) }
}

extension Controls.OnError: ExpressibleByArgument {
  package static var allValueStrings: [String] { ["fail", "skip"] }
}

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render rows once, to standard output.",
    discussion: """
      The output is byte for byte the answer of POST /cells/KIND. ROWS is JSON, an array of rows or one row; or NDJSON, one \
      row per line, if its name ends in .ndjson or .jsonl. A problem is printed on standard error as JSON, with status 1.
      """)

  @Argument(help: "The kind of the cells.")
  var kind: String

  @Argument(help: "The file with rows; standard input if omitted or '-'.")
  var rows: String?

  @OptionGroup(title: "Cells") var source: SourceArguments

  @Option(help: "The format of the output (default: html; for a text cell, text).")
  var format: FormatArgument?

  @Option(help: "Whether a bad row fails the request or is skipped (default: fail).")
  var onError: Controls.OnError?

  @Option(
    help: "Members of JSON rows: a list of html, etag, class, nib, outlets, actions (default: html,etag).")
  var fields: String?

  @Option(
    help: ArgumentHelp(
      "The time that relative dates are relative to, such as 2025-10-09T12:00:00Z (default: the clock's).",
      valueName: "time"))
  var now: String?

  @OptionGroup(title: "Rendering") var render: RenderArguments

  func run() throws {
    let sources = SettingSources(options: self)
    var settings = try render.rowSettings(sources)
    // There are no other clients, and nothing is printed before everything is known to be valid.
    settings.makeWhole()
    let limit = try sources[Settings.bodyLimitBytes]
    let reuse = try render.reusePolicy(sources)
    let archive = try source.load(sources)
    let executor = InlineExecutor()
    let factory = CellFactory(archive: archive, reuse: reuse, executor: executor)
    let service = CellService(settings: settings, readiness: Readiness())
    let head = RequestHead(
      method: .post, path: "/cells/" + Self.encoded(kind), query: query(), contentType: contentType)
    let bytes = try readRows(limitBytes: limit)

    let failed = factory.assumeIsolated { factory in
      var body = ByteBuffer(capacity: bytes.count)
      body.append(bytes)
      let budget = MemoryBudget(limitBytes: .max)
      let answer = service.answer(head, body: &body, output: ByteBuffer(), budget: budget, factory: factory)
      let failed = answer.status != 200
      if failed {
        Console.error(String(decoding: answer.body.bytes, as: UTF8.self))
      } else {
        Console.output(answer.body.bytes)
      }
      return failed
    }
    if failed { throw ExitCode(1) }
  }

  private var contentType: String {
    let isLines = rows.map { $0.hasSuffix(".ndjson") || $0.hasSuffix(".jsonl") } ?? false
    return isLines ? "application/x-ndjson" : "application/json"
  }

  private func query() -> String {
    var pairs: [String] = []
    if let format { pairs.append("format=\(format.format.name)") }
    if let onError { pairs.append("on_error=\(onError.rawValue)") }
    if let fields { pairs.append("fields=" + Self.encoded(fields)) }
    if let locale = source.locales.locale?.text { pairs.append("locale=" + Self.encoded(locale)) }
    if let now { pairs.append("now=" + Self.encoded(now)) }
    return pairs.joined(separator: "&")
  }

  private func readRows(limitBytes: Int) throws -> [UInt8] {
    do throws(FileError) {
      if let rows, rows != "-" { return try FileAccess.read(rows, limitBytes: limitBytes, waits: true) }
      return try FileAccess.readStandardInput(limitBytes: limitBytes)
    } catch {
      Console.error("error: \(error.description)")
      throw ExitCode(1)
    }
  }

  /// Percent-encodes everything except unreserved characters and `/`.
  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return result
  }
}
