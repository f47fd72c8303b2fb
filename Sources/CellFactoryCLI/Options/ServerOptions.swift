import ArgumentParser
import CellServer

/// Options for the server's threads, connections and timeouts.
struct ServerOptions: ParsableArguments {
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
    var settings = ServerSettings(host: try sources[Settings.host], port: try sources[Settings.port])
    settings.workers = try sources[Settings.workers]
    settings.bodyLimitBytes = try sources[Settings.bodyLimitBytes]
    settings.connections = try sources[Settings.connections]
    settings.headLimitBytes = try sources[Settings.headLimitBytes]
    settings.inFlightLimitBytes = try sources[Settings.inFlightLimitBytes]
    settings.inFlightRequests = try sources[Settings.inFlightRequests]
    settings.queueSeconds = try sources[Settings.queueSeconds]
    settings.headSeconds = try sources[Settings.headSeconds]
    settings.bodySeconds = try sources[Settings.bodySeconds]
    settings.writeSeconds = try sources[Settings.writeSeconds]
    settings.idleSeconds = try sources[Settings.idleSeconds]
    settings.drainSeconds = try sources[Settings.drainSeconds]
    settings.metrics = Metrics(
      version: CellFactoryVersion.current, kindLimit: try sources[Settings.metricsKinds])
    settings.drainDelaySeconds = try sources[Settings.drainDelaySeconds]
    if settings.drainDelaySeconds > settings.drainSeconds {
      throw ValidationError(
        "--drain-delay-seconds (\(settings.drainDelaySeconds)) is part of --drain-seconds "
          + "(\(settings.drainSeconds)) and cannot be longer.")
    }
    return settings
  }
}
