import ArgumentParser
import CellTemplates
import Cells

struct ArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Compile a folder of templates into one file.")

  @Argument(help: "The folder of templates.")
  var dir: String

  @Option(help: ArgumentHelp("The archive to write; an old one is replaced in one step.", valueName: "file"))
  var output: String

  @OptionGroup(title: "Links") var links: LinkOptions

  func run() throws {
    let schemes = try SettingSources(options: self)[Settings.urlSchemes]
    try endingIfRefused {
      let archive = try CellArchive.compiling(folder: dir, schemes: schemes)
      try archive.write(file: output)
      Console.output("\(output): \(archive.kindCount) kinds, archive \(archive.hash)")
    }
  }
}
