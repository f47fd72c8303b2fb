import ArgumentParser
import CellServer

/// Options for the server's threads, connections and timeouts.
struct ServerArguments: ParsableArguments {
  @Option(Settings.workers) var workers
  @Option(Settings.connections) var connections
  @Option(Settings.headLimitBytes) var headLimitBytes
  @Option(Settings.inFlightLimitBytes) var inFlightLimitBytes
  @Option(Settings.inFlightRequests) var inFlightRequests
  @Option(Settings.queueSeconds) var queueSeconds
  @Option(Settings.headSeconds) var headSeconds
  @Option(Settings.bodySeconds) var bodySeconds
  @Option(Settings.writeSeconds) var writeSeconds
  @Option(Settings.idleSeconds) var idleSeconds
  @Option(Settings.drainSeconds) var drainSeconds
  @Option(Settings.drainDelaySeconds) var drainDelaySeconds
  @Option(Settings.metricsKinds) var metricsKinds
  @Option(Settings.fields) var fields

  /// All settings of the server, including the address and the body limit, which are options of other groups.
  func settings(_ sources: SettingSources) throws -> ServerSettings {
    var settings = ServerSettings(address: try AddressArguments.address(sources))
    for setting in Settings.serve { try setting.apply(sources, to: &settings) }
    settings.workers = try sources[Settings.workers]
    settings.metrics = Metrics(
      version: CellFactoryVersion.current, kindLimit: try sources[Settings.metricsKinds])
    if settings.drainDelaySeconds > settings.drainSeconds {
      throw ValidationError(
        "--drain-delay-seconds (\(settings.drainDelaySeconds)) is part of --drain-seconds "
          + "(\(settings.drainSeconds)) and cannot be longer.")
    }
    return settings
  }
}
