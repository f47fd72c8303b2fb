import ArgumentParser
import CellTemplates
import Cells

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a folder of templates and its sample rows.",
    discussion: """
      Prints every error and warning on standard error, as compilers do: FILE:LINE:COLUMN: error: … with a hint how to \
      mend it. Status 0: no error; 1: errors.
      """)

  @Argument(help: "The folder of templates.")
  var dir: String

  @OptionGroup(title: "Links") var links: LinkOptions

  func run() throws {
    let check = FolderCheck(dir, schemes: try links.schemes(), executor: InlineExecutor())
    for diagnostic in check.diagnostics { Console.error(diagnostic.description) }
    let errors = check.diagnostics.count { $0.severity == .error }
    if errors > 0 {
      Console.error("\(dir): \(errors) \(errors == 1 ? "error" : "errors")")
      throw ExitCode(1)
    }
    Console.output("\(dir): \(check.kindCount) kinds, \(check.sampleRowCount) sample rows, no errors")
  }
}
