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

  @Option(help: "Large answers that one worker makes at once; past it: 503 (default: 64).")
  var inFlightRequests: Int?

  @Option(help: "Seconds a request waits for its turn; past it: 503; 0: any time (default: 0.05).")
  var queueSeconds: Double?

  @Option(help: "Seconds for a request's head to arrive (default: 10).")
  var headSeconds: Double?

  @Option(help: "Seconds for a request's body to arrive (default: 30).")
  var bodySeconds: Double?

  @Option(help: "Seconds for a client to take 16 KiB of its answer for each of them (default: 30).")
  var writeSeconds: Double?

  @Option(help: "Seconds a connection may be idle (default: 60).")
  var idleSeconds: Double?

  @Option(help: "Seconds that requests in flight have when the server stops (default: 10).")
  var drainSeconds: Double?

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
    settings.inFlightRequests = try Setting.resolve(
      inFlightRequests, "in-flight-requests", default: settings.inFlightRequests, in: 1...1_000_000)
    settings.queueSeconds = try Setting.resolve(
      queueSeconds, seconds: "queue-seconds", default: settings.queueSeconds, atLeast: 0)
    settings.headSeconds = try Setting.resolve(
      headSeconds, seconds: "head-seconds", default: settings.headSeconds, atLeast: 0.1)
    settings.bodySeconds = try Setting.resolve(
      bodySeconds, seconds: "body-seconds", default: settings.bodySeconds, atLeast: 0.1)
    settings.writeSeconds = try Setting.resolve(
      writeSeconds, seconds: "write-seconds", default: settings.writeSeconds, atLeast: 0.1)
    settings.idleSeconds = try Setting.resolve(
      idleSeconds, seconds: "idle-seconds", default: settings.idleSeconds, atLeast: 0.1)
    settings.drainSeconds = try Setting.resolve(
      drainSeconds, seconds: "drain-seconds", default: settings.drainSeconds, atLeast: 0)
    return settings
  }

  /// The processors this process may run on: glibc asks for its affinity.
  private static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
