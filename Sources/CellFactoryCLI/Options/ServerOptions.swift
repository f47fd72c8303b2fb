import ArgumentParser
import CellServer
import Glibc

/// The options of the server's threads, connections and times.
struct ServerOptions: ParsableArguments {
  @Option(help: "Worker threads (default: one for each processor).")
  var workers: Int?

  @Option(help: "Open connections in all (default: 4096).")
  var connections: Int?

  @Option(help: "The largest request head, in bytes (default: 32768).")
  var headLimitBytes: Int?

  @Option(
    help: "Bodies, parsed rows and unsent answers of one worker, in bytes; past it: 503 (default: 536870912)."
  )
  var inFlightLimitBytes: Int?

  @Option(help: "Seconds for a request's head to arrive (default: 10).")
  var headSeconds: Double?

  @Option(help: "Seconds for a request's body to arrive (default: 30).")
  var bodySeconds: Double?

  @Option(help: "Seconds a connection may be idle (default: 60).")
  var idleSeconds: Double?

  @Option(help: "Seconds that a stop takes at most; requests in flight are cut then (default: 10).")
  var drainSeconds: Double?

  @Option(
    help: """
      How many of them a server that SIGTERM stops goes on as before, but for /readyz, so that a load balancer can \
      notice: its health check's interval times its failures, and one more second (default: 0).
      """)
  var drainDelaySeconds: Double?

  func settings(address: AddressOptions, render: RenderOptions) throws -> ServerSettings {
    var settings = ServerSettings(host: try address.resolvedHost(), port: try address.resolvedPort())
    settings.workers = try Setting.resolve(workers, "workers", default: Self.processors, in: 1...1024)
    settings.bodyLimitBytes = try render.bodyLimit()
    settings.connections = try Setting.resolve(
      connections, "connections", default: settings.connections, in: 1...1_000_000)
    settings.headLimitBytes = try Setting.resolve(
      headLimitBytes, "head-limit-bytes", default: settings.headLimitBytes, in: 1024...(1 << 20))
    settings.inFlightLimitBytes = try Setting.resolve(
      inFlightLimitBytes, "in-flight-limit-bytes", default: settings.inFlightLimitBytes,
      in: (1 << 20)...(1 << 40))
    settings.headSeconds = try Setting.resolve(
      headSeconds, seconds: "head-seconds", default: settings.headSeconds, atLeast: 0.1)
    settings.bodySeconds = try Setting.resolve(
      bodySeconds, seconds: "body-seconds", default: settings.bodySeconds, atLeast: 0.1)
    settings.idleSeconds = try Setting.resolve(
      idleSeconds, seconds: "idle-seconds", default: settings.idleSeconds, atLeast: 0.1)
    settings.drainSeconds = try Setting.resolve(
      drainSeconds, seconds: "drain-seconds", default: settings.drainSeconds, atLeast: 0)
    settings.drainDelaySeconds = try Setting.resolve(
      drainDelaySeconds, seconds: "drain-delay-seconds", default: settings.drainDelaySeconds, atLeast: 0)
    if settings.drainDelaySeconds > settings.drainSeconds {
      throw ValidationError(
        "--drain-delay-seconds (\(settings.drainDelaySeconds)) is a part of --drain-seconds "
          + "(\(settings.drainSeconds)), and cannot be more.")
    }
    return settings
  }

  /// The processors this process may run on: glibc asks for its affinity.
  private static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
