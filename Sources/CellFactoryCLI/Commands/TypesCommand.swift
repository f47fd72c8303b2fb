import ArgumentParser
import CellTemplates
import Cells

struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "Declare the rows of all kinds in a programming language.",
    discussion: """
      Prints a file with a type for the rows of each kind, and types for what is inside them. Names have the types that \
      sample rows (KIND.sample.json) show; those that no sample has, what their places in the template take. Samples that \
      show everything once make the best types.
      """)

  @OptionGroup(title: "Cells") var source: SourceArguments

  @Option(help: "The language: typescript, swift or python.")
  var language: TypeLanguage

  @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"))
  var output: String?

  func run() throws {
    let archive = try source.load(SettingSources(options: self))
    var text = ByteBuffer()
    guard language.append(archive, to: &text) else {
      Console.error(
        "error: the kinds have more than \(TypeLanguage.typeLimit) types, since each has types for what is inside the "
          + "kinds that it calls; declare fewer kinds at a time")
      throw ExitCode(1)
    }
    guard let output else { return Console.output(text.bytes) }
    do throws(FileError) {
      try FileAccess.write(Array(text.bytes), to: output)
    } catch {
      Console.error("error: \(error.description)")
      throw ExitCode(1)
    }
  }
}

extension TypeLanguage: ExpressibleByArgument {}
