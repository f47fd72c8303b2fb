import ArgumentParser
import CellTemplates
import Cells

/// The source of cells: a templates folder or an archive.
struct SourceArguments: ParsableArguments {
  @Option(Settings.templates) var templates
  @Option(Settings.archive) var archive
  @OptionGroup var links: LinkArguments
  @OptionGroup var locales: LocaleArguments
  @OptionGroup var loading: LoadArguments

  enum Source: Equatable {
    case templates(String)
    case archive(String)
  }

  func validate() throws {
    if templates != nil, archive != nil {
      throw ValidationError("Give either '--templates' or '--archive', not both.")
    }
    if !links.urlSchemes.isEmpty, archive != nil {
      throw ValidationError(
        "URL schemes are stored in the archive: give '--url-schemes' to 'cellfactory archive'.")
    }
    if links.assetsURL != nil || links.assetLimitBytes != nil, archive != nil {
      throw ValidationError(
        "Files are stored in the archive: give '--assets-url' and '--asset-limit-bytes' to 'cellfactory archive'."
      )
    }
    if !locales.locales.isEmpty, archive != nil {
      throw ValidationError(
        "Locales are stored in the archive: give '--locales' to 'cellfactory archive'.")
    }
  }

  /// An option takes precedence over both variables.
  func source(_ sources: SettingSources) throws -> Source {
    switch (try sources.value(Settings.templates), try sources.value(Settings.archive)) {
    case (let folder?, nil): return .templates(folder)
    case (nil, let file?): return .archive(file)
    case (nil, nil): preconditionFailure("there is a default folder")
    case (_?, _?):
      throw ValidationError("Set either CELLFACTORY_TEMPLATES or CELLFACTORY_ARCHIVE, not both.")
    }
  }

  /// A closure that loads the cells; it can be called repeatedly. Throws `TemplateErrors` or
  /// `ArchiveFileError`.
  /// - Parameter isCancelled: asked from time to time; true ends the load with an error.
  func loader(
    _ sources: SettingSources, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> @Sendable () throws -> CellArchive {
    let seconds = try sources[Settings.loadSeconds]
    switch try source(sources) {
    case .templates(let folder):
      let schemes = try sources[Settings.urlSchemes]
      let assets = try links.assets(sources)
      let locales = try locales.offered(sources)
      return {
        let budget = LoadBudget(seconds: seconds, isCancelled: isCancelled)
        return try CellArchive.compiling(
          folder: folder, schemes: schemes, assets: assets, locales: locales, budget: budget)
      }
    case .archive(let file):
      return {
        let budget = LoadBudget(seconds: seconds, isCancelled: isCancelled)
        return try CellArchive.reading(file: file, budget: budget)
      }
    }
  }

  /// Loads the cells. If they are refused, reports the reason and ends the command.
  func load(_ sources: SettingSources, tell: (any Error) -> Void = Console.refuse) throws -> CellArchive {
    try endingIfRefused(tell: tell, loader(sources))
  }
}
