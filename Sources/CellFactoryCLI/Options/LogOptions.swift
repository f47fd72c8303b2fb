public import ArgumentParser
public import Logging

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// Logs go to standard error, one line each.
struct LogOptions: ParsableArguments {
  @Option(help: "The least level that is logged; debug: a line for each request (default: info).")
  var logLevel: Logger.Level?

  /// Makes the process's logger. To be called once.
  func makeLogger() throws -> Logger {
    let level = try Setting.resolve(
      logLevel, "log-level", default: .info,
      allowed: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    return Logger(label: "cellfactory")
  }
}
