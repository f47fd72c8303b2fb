import ArgumentParser
import CellServer
import Cells

/// Options with the limits of rendering, for `serve` and `render`.
struct RenderArguments: ParsableArguments {
  @Option(Settings.jsonDepth) var jsonDepth
  @Option(Settings.partialDepth) var partialDepth
  @Option(Settings.outputLimitBytes) var outputLimitBytes
  @Option(Settings.bodyLimitBytes) var bodyLimitBytes
  @Option(Settings.missing) var missing
  @Option(Settings.unknown) var unknown
  @Option(Settings.timeZone) var timeZone
  @Option(Settings.reuse) var reuse

  func rowSettings(_ sources: SettingSources) throws -> RowSettings {
    var settings = RowSettings()
    settings.jsonDepth = try sources[Settings.jsonDepth]
    settings.render.partialDepth = try sources[Settings.partialDepth]
    settings.render.outputBytes = try sources[Settings.outputLimitBytes]
    settings.render.missing = try sources[Settings.missing]
    settings.unknown = try sources[Settings.unknown]
    settings.timeZone = try sources[Settings.timeZone]
    return settings
  }

  func reusePolicy(_ sources: SettingSources) throws -> ReusePolicy {
    try sources[Settings.reuse] ? ReusePolicy() : .off
  }
}
