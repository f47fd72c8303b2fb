import ArgumentParser
import CellPreview
import CellServer

/// The page that shows the cells.
struct PreviewArguments: ParsableArguments {
  @Option(Settings.preview) var preview
  @Option(repeated: Settings.previewHost) var previewHost

  /// The preview of the templates folder; nil if it is off.
  /// - Throws: an error if there is no folder, or the process may not have more threads.
  func makePreview(
    _ sources: SettingSources, of source: SourceArguments.Source, _ options: SourceArguments,
    readiness: Readiness
  ) throws -> Preview? {
    guard try sources[Settings.preview] else { return nil }
    guard case .templates(let folder) = source else { throw Self.needsFolder }
    return try Preview(
      folder: folder, schemes: try sources[Settings.urlSchemes], assets: try options.links.assets(sources),
      locales: try options.locales.offered(sources), timeZone: try sources[Settings.timeZone],
      missing: try sources[Settings.missing], loadSeconds: try sources[Settings.loadSeconds],
      hosts: try sources.value(Settings.previewHost) ?? [], readiness: readiness)
  }

  /// - Throws: an error if the preview is on although cells come from an archive.
  func check(_ sources: SettingSources, of source: SourceArguments.Source) throws {
    if try sources[Settings.preview], case .archive = source { throw Self.needsFolder }
  }

  private static let needsFolder = ValidationError(
    "The preview shows the pages around cells, which an archive does not hold: give '--templates', or turn off '--preview'."
  )
}
