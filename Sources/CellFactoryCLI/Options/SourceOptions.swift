import ArgumentParser
import CellTemplates
import Cells

/// Where cells come from: a templates folder or an archive.
struct SourceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of templates (default: ./templates).", valueName: "dir"))
  var templates: String?

  @Option(
    help: ArgumentHelp(
      "An archive that 'cellfactory archive' wrote, instead of templates.", valueName: "file"))
  var archive: String?

  @OptionGroup var links: LinkOptions

  enum Source: Equatable {
    case templates(String)
    case archive(String)
  }

  func validate() throws {
    if templates != nil, archive != nil {
      throw ValidationError("Give either '--templates' or '--archive', not both.")
    }
    if links.urlSchemes != nil, archive != nil {
      throw ValidationError(
        "An archive holds its URL schemes: give '--url-schemes' to 'cellfactory archive'.")
    }
  }

  /// An option wins over both variables.
  func source() throws -> Source {
    if let templates { return .templates(templates) }
    if let archive { return .archive(archive) }
    switch (Setting.environment("templates"), Setting.environment("archive")) {
    case (let folder?, nil): return .templates(folder)
    case (nil, let file?): return .archive(file)
    case (nil, nil): return .templates("./templates")
    case (_?, _?):
      throw ValidationError("Set either CELLFACTORY_TEMPLATES or CELLFACTORY_ARCHIVE, not both.")
    }
  }

  /// What loads the cells, as often as one likes: throws `TemplateErrors` or an `ArchiveFileError`.
  func loader() throws -> @Sendable () throws -> CellArchive {
    switch try source() {
    case .templates(let folder):
      let schemes = try links.schemes()
      return { try CellArchive.compiling(folder: folder, schemes: schemes) }
    case .archive(let file): return { try CellArchive.reading(file: file) }
    }
  }

  /// Loads the cells; prints what is wrong with them and ends the command where they are refused.
  func load() throws -> CellArchive {
    do {
      return try loader()()
    } catch let error as TemplateErrors {
      Console.error(error.description)
      throw ExitCode(1)
    } catch let error as ArchiveFileError {
      Console.error("error: \(error.description)")
      throw ExitCode(1)
    }
  }
}
