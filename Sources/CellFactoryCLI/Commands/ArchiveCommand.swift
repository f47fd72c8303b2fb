import ArgumentParser
import CellTemplates
import Cells

struct ArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Compile a folder of templates into one file.")

  @Argument(help: "The folder of templates.")
  var dir: String

  @Option(
    help: ArgumentHelp(
      "The archive to write. An existing file is replaced in one step; a device or a FIFO is written to.",
      valueName: "file"))
  var output: String

  @OptionGroup(title: "Links") var links: LinkOptions

  func run() throws {
    let schemes = try SettingSources(options: self)[Settings.urlSchemes]
    try endingIfRefused {
      let archive = try CellArchive.compiling(folder: dir, schemes: schemes)
      let summary = "\(output): \(archive.kindCount) kinds, archive \(archive.hash)"
      // With `--output /dev/stdout` the archive alone goes there.
      let tell = FileAccess.isStandardOutput(output) ? Console.error : Console.output
      try archive.write(file: output)
      tell(summary)
    }
  }
}
