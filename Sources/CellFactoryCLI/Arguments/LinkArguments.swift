import ArgumentParser
import CellTemplates

/// What links in cells and style sheets may be, and where they lead. Stored in the archive, so needed where templates are
/// compiled.
struct LinkArguments: ParsableArguments {
  @Option(repeated: Settings.urlSchemes) var urlSchemes
  @Option(Settings.assetsURL) var assetsURL
  @Option(Settings.assetLimitBytes) var assetLimitBytes

  /// What becomes of the files that nibs link to.
  func assets(_ sources: SettingSources) throws -> AssetOptions {
    var options = AssetOptions()
    options.limitBytes = try sources[Settings.assetLimitBytes]
    options.url = try sources.value(Settings.assetsURL)
    return options
  }
}
