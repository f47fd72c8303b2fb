import ArgumentParser
import CellServer

/// Options for browsers as clients.
struct BrowserArguments: ParsableArguments {
  @Option(repeated: Settings.corsOrigin) var corsOrigin
  @Option(Settings.compression) var compression
  @Option(Settings.compressionMinBytes) var compressionMinBytes
  @Option(Settings.compressionLevel) var compressionLevel

  func apply(_ sources: SettingSources, to settings: inout ServerSettings) throws {
    settings.origins = try sources.value(Settings.corsOrigin)
    guard try sources[Settings.compression] else { return }
    var compression = CompressionSettings()
    compression.minimumBytes = try sources[Settings.compressionMinBytes]
    compression.level = try sources[Settings.compressionLevel]
    settings.compression = compression
  }
}
