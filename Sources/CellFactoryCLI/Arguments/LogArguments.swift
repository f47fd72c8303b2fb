import ArgumentParser
import CellServer
import Glibc
import Logging

/// Options for the log on standard error.
struct LogArguments: ParsableArguments {
  @Option(Settings.logLevel) var logLevel
  @Option(Settings.logFormat) var logFormat
  @Option(Settings.accessLog) var accessLog

  /// Creates the log of the process. Must be called only once.
  func makeLog(_ sources: SettingSources) throws -> ServerLog {
    try ServerLog(
      level: try sources[Settings.logLevel], format: try sources[Settings.logFormat],
      logsRequests: try sources[Settings.accessLog])
  }
}
