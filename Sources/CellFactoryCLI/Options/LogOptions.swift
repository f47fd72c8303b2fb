import ArgumentParser
import CellServer
import Glibc
import Logging

/// Logs go to standard error, one line each.
struct LogOptions: ParsableArguments {
  @Option(Settings.logLevel) var logLevel
  @Option(Settings.logFormat) var logFormat
  @Option(Settings.accessLog) var accessLog

  /// Makes the process's log. To be called once.
  func makeLog(_ sources: SettingSources) throws -> ServerLog {
    try ServerLog(
      level: try sources[Settings.logLevel], format: try sources[Settings.logFormat],
      logsRequests: try sources[Settings.accessLog])
  }
}
