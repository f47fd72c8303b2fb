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
      "The archive to write. An existing file is replaced in one step; a device, a FIFO or a mount point is written to.",
      valueName: "file"))
  var output: String

  @OptionGroup(title: "Links") var links: LinkArguments
  @OptionGroup(title: "Locales") var locales: LocaleArguments
  @OptionGroup(title: "Loading") var loading: LoadArguments

  func run() throws {
    let sources = SettingSources(options: self)
    let schemes = try sources[Settings.urlSchemes]
    let assets = try links.assets(sources)
    let offered = try locales.offered(sources)
    let budget = try loading.budget(sources)
    try endingIfRefused {
      let archive = try CellArchive.compiling(
        folder: dir, schemes: schemes, assets: assets, locales: offered, budget: budget)
      let summary = "\(output): \(archive.kindCount) kinds, archive \(archive.hash)"
      // With `--output /dev/stdout`, only the archive goes to standard output.
      let tell = FileAccess.isStandardOutput(output) ? Console.error : Console.announce
      try archive.write(file: output)
      tell(summary)
    }
  }
}
