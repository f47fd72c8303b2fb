import ArgumentParser
import CellServer

/// The command `cellfactory`.
@main
struct CellFactoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellfactory",
    abstract: "Render JSON rows into cells.",
    discussion: """
      Cells are designed as HTML and Mustache files in a templates folder, each under its kind. Programs post \
      JSON rows and get rendered cells back:

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
