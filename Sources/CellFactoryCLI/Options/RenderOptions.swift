import ArgumentParser
import CellServer
import Cells

/// Names that find nothing; `MissingPolicy` on the command line.
extension MissingPolicy: ExpressibleByArgument {}

/// How cells are reused.
enum ReuseChoice: String, ExpressibleByArgument, CaseIterable {
  case on
  case off
}

/// The options that bound rendering, of `serve` and `render`.
struct RenderOptions: ParsableArguments {
  @Option(help: "Arrays and objects open at once in a body (default: 512).")
  var jsonDepth: Int?

  @Option(help: "How deep partials may call one another (default: 64).")
  var partialDepth: Int?

  @Option(help: "The largest answer, in bytes (default: 67108864).")
  var outputLimitBytes: Int?

  @Option(help: "The largest body, in bytes (default: 16777216).")
  var bodyLimitBytes: Int?

  @Option(help: "What happens to names that find nothing (default: keep).")
  var missing: MissingPolicy?

  @Option(help: "Whether cells are kept for reuse (default: on).")
  var reuse: ReuseChoice?

  func serviceSettings() throws -> CellService.Settings {
    var settings = CellService.Settings()
    settings.jsonDepth = try Setting.resolve(
      jsonDepth, "json-depth", default: settings.jsonDepth, in: 1...JSONParser.largestDepthLimit)
    settings.render.partialDepth = try Setting.resolve(
      partialDepth, "partial-depth", default: settings.render.partialDepth, in: 0...10_000)
    settings.render.outputBytes = try Setting.resolve(
      outputLimitBytes, "output-limit-bytes", default: settings.render.outputBytes, in: 1...(1 << 31))
    settings.render.missing = try Setting.resolve(
      missing, "missing", default: settings.render.missing, allowed: "keep, blank or error")
    return settings
  }

  func bodyLimit() throws -> Int {
    try Setting.resolve(bodyLimitBytes, "body-limit-bytes", default: 16 << 20, in: 1...(1 << 30))
  }

  func reusePolicy() throws -> ReusePolicy {
    try Setting.resolve(reuse, "reuse", default: .on, allowed: "on or off") == .on ? ReusePolicy() : .off
  }
}
