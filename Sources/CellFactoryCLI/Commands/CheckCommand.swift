import ArgumentParser
import CellTemplates
import Cells

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a folder of templates and its sample rows.",
    discussion: """
      Prints every error and warning on standard error, sorted by file and position, like compilers: \
      FILE:LINE:COLUMN: error: … with a hint how to fix it; lines and columns count from 1, columns in bytes. Every \
      KIND.sample.json is validated against the schema of its kind, as in GET /schemas/KIND, and rendered; if the \
      cell, or one that it calls, has an error, it is only read.

      A folder without a cell is an error.

      Warnings: a file that looks like a template and is not read, a hole no data can fill, a linked file, a partial \
      or a sample's kind that does not exist, a name that no row of a sample has, a name that a template never uses, a value in a text cell that is escaped as HTML, a \
      misspelt attribute of a nib, a tag of another template language that is printed as it is.

      With --json an array goes to standard output instead: each object has file, line, column, severity ("error" or \
      "warning"), code, message and hint; line and column are 0 if the whole file is meant.

      Status 0: no errors, possibly warnings; 1: errors.
      """)

  @Argument(help: "The folder of templates.")
  var dir: String

  @Flag(help: "Print an array of JSON objects, for tools.")
  var json = false

  @OptionGroup(title: "Links") var links: LinkArguments
  @OptionGroup(title: "Locales") var locales: LocaleArguments
  @OptionGroup(title: "Loading") var loading: LoadArguments

  func run() throws {
    let sources = SettingSources(options: self)
    let check = FolderCheck(
      dir, schemes: try sources[Settings.urlSchemes], assets: try links.assets(sources),
      locales: try locales.offered(sources), budget: try loading.budget(sources), executor: InlineExecutor())
    let errors = check.diagnostics.count { $0.severity == .error }
    let warnings = check.diagnostics.count - errors
    let found = [
      errors == 0 ? "no errors" : Self.count(errors, "error"),
      warnings == 0 ? nil : Self.count(warnings, "warning"),
    ].compactMap(\.self).joined(separator: ", ")
    if json {
      DiagnosticList.write(check.diagnostics) { Console.output($0) }
    } else {
      for diagnostic in check.diagnostics { Console.error(diagnostic.description) }
    }
    if errors > 0 {
      if !json { Console.error("\(dir): \(found)") }
      throw ExitCode(1)
    }
    if !json {
      let kinds = Self.count(check.kindCount, "kind")
      Console.output("\(dir): \(kinds), \(Self.count(check.sampleRowCount, "sample row")), \(found)")
    }
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }
}
