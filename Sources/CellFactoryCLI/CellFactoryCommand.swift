import ArgumentParser
import CellServer
import CellTemplates
import Glibc

/// The command `cellfactory`.
@main
struct CellFactoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellfactory",
    abstract: "Render JSON rows into cells.",
    discussion: """
      Cells are designed as HTML and Mustache files in a templates folder, each under its kind. Programs post \
      JSON rows and get rendered cells back:

        cellfactory preview templates
        cellfactory serve --templates templates
        curl -d title=Hi localhost:8080/cells/news
      """,
    version: CellFactoryVersion.current,
    subcommands: [
      ServeCommand.self, PreviewCommand.self, RenderCommand.self, ArchiveCommand.self, CheckCommand.self,
      KindsCommand.self, TypesCommand.self, HealthCommand.self,
    ])

  static func main() {
    StandardDescriptors.openMissing()
    // A file that may not grow any more is like a full disk: what is written into it fails, and the command says so.
    signal(SIGXFSZ, SIG_IGN)
    if let complaint = complaint(about: CommandLine.arguments.dropFirst().first) {
      exit(withError: ValidationError(complaint))
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let message = fullMessage(for: error)
      // Help and the version: `exit(withError:)` would ignore that they cannot be written.
      if exitCode(for: error).isSuccess && !message.isEmpty {
        Console.output(message)
      } else {
        exit(withError: error)
      }
    }
  }

  /// What is wrong with the first argument, if it should be a command and is none.
  private static func complaint(about argument: String?) -> String? {
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let argument, !argument.hasPrefix("-"), !commands.contains(argument) else { return nil }
    let nearest = NearestName.find(argument, among: commands)
    return "Unknown command '\(ConfigListing.printable(argument))'."
      + (nearest.map { " Did you mean '\($0)'?" } ?? " The commands are \(commands.joined(separator: ", ")).")
  }
}

enum CellFactoryVersion {
  static let current = ServiceVersion.current
}
