import CellServer
import CellTemplates
import Glibc
import Logging

/// The log of the process: lines on standard error.
struct ServerLog: Sendable {
  let logger: Logger
  let complaints: Complaints
  /// `nil` if requests are not logged.
  let access: AccessLog?
  private let format: LogFormat
  private let writer: LogWriter

  /// Must be called only once, because it also becomes swift-log's handler. A normal exit writes everything
  /// logged before.
  /// - Throws: an error if the process may not have more threads.
  init(level: Logger.Level, format: LogFormat, logsRequests: Bool) throws(TransportError) {
    let queue = try ThreadQueue(named: "log")
    let writer = LogWriter(descriptor: STDERR_FILENO, format: format, on: queue)
    self.format = format
    self.writer = writer
    LoggingSystem.bootstrap { _ in LineLogHandler(level: level, format: format, writer: writer) }
    logger = Logger(label: "cellfactory")
    complaints = Complaints(to: logger, on: queue)
    access = logsRequests && level <= .info ? AccessLog(format: format, writer: writer) : nil
    if logsRequests && access == nil {
      logger.warning(
        "requests are not logged: their lines have level info", metadata: ["log_level": "\(level.rawValue)"]
      )
    }
  }

  /// Reports why the server does not start: like other commands do, or as lines of a JSON log at any level.
  func refuse(_ error: any Error) {
    guard format == .json else { return Console.refuse(error) }
    var logger = logger
    logger.logLevel = min(logger.logLevel, .error)
    if let errors = error as? TemplateErrors {
      logger.log(errors.diagnostics)
    } else {
      logger.error("\(error)")
    }
  }

  /// Waits until everything has been written, but not for a stalled reader.
  func flush(seconds: Double = 1) { writer.flush(seconds: seconds) }

  /// Lines dropped because they were read too slowly.
  var droppedLines: Int { writer.droppedLines }
}
