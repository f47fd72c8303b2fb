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
    StandardDescriptors.openMissing()
    main(nil)
  }
}

enum CellFactoryVersion {
  static let current = ServiceVersion.current
}
