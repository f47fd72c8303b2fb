import ArgumentParser
import CellServer

/// Whether answers are compressed.
enum CompressionChoice: String, ExpressibleByArgument, CaseIterable {
  case on
  case off
}

/// The options for clients that are browsers.
struct BrowserOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Origins whose pages may ask, as https://example.org; repeated or listed (default: none).",
      valueName: "origin"))
  var corsOrigin: [String] = []

  @Option(help: "Whether answers are compressed where clients ask for it (default: off).")
  var compression: CompressionChoice?

  @Option(help: "The smallest answer that is compressed, in bytes (default: 1024).")
  var compressionMinBytes: Int?

  @Option(help: "How hard compression tries, 1 to 9 (default: 1).")
  var compressionLevel: Int?

  func apply(to settings: inout ServerSettings) throws {
    settings.origins = try origins()
    var compression = CompressionSettings()
    compression.minimumBytes = try Setting.resolve(
      compressionMinBytes, "compression-min-bytes", default: compression.minimumBytes, in: 1...(1 << 30))
    compression.level = try Setting.resolve(
      compressionLevel, "compression-level", default: compression.level, in: 1...9)
    let choice = try Setting.resolve(
      self.compression, "compression", default: .off, allowed: "on or off")
    if choice == .on { settings.compression = compression }
  }

  private func origins() throws -> AllowedOrigins? {
    let given = corsOrigin.isEmpty ? Setting.environment("cors-origin").map { [$0] } ?? [] : corsOrigin
    var origins = AllowedOrigins()
    for item in given.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      do throws(OriginError) {
        try origins.add(String(item.drop { $0 == " " }))
      } catch {
        throw ValidationError(
          corsOrigin.isEmpty
            ? "The value '\(item)' of \(Setting.variable("cors-origin")) is invalid: \(error.description)."
            : "The value '\(item)' is invalid for '--cors-origin': \(error.description).")
      }
    }
    return origins.list.isEmpty ? nil : origins
  }
}
