import ArgumentParser
import CellServer

/// The command `cellfactory`.
@main
struct CellFactoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellfactory",
    abstract: "Turns rows of JSON into rendered cells.",
    discussion: """
      Cells are drawn as HTML and Mustache files in a templates folder, each under its kind. Programs post rows of \
      JSON and get finished cells back:

        cellfactory serve --templates templates
        curl -d title=Hi localhost:8080/cells/news
      """,
    version: CellFactoryVersion.current,
    subcommands: [
      ServeCommand.self, RenderCommand.self, ArchiveCommand.self, CheckCommand.self, KindsCommand.self,
      HealthCommand.self,
    ])

  static func main() {
    // The other commands end by it, as when their terminal goes.
    if CommandLine.arguments.dropFirst().first == ServeCommand.configuration.commandName {
      TerminationSignals.holdHangUp()
    }
    StandardDescriptors.openMissing()
    main(nil)
  }
}

enum CellFactoryVersion {
  static let current = ServiceVersion.current
}
