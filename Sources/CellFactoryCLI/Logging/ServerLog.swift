import CellServer
import CellTemplates
import Glibc
import Logging

/// The process's log: lines on standard error.
struct ServerLog: Sendable {
  let logger: Logger
  let complaints: Complaints
  /// `nil`: requests are not logged.
  let access: AccessLog?
  private let format: LogFormat
  private let writer: LogWriter

  /// To be called once: it becomes swift-log's, too. What was logged is written before the process exits.
  /// - Throws: where the process may have no more threads.
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
        "requests are not logged: their lines are of level info", metadata: ["log_level": "\(level.rawValue)"]
      )
    }
  }

  /// Says why the server does not start: as other commands do, or as lines of a JSON log, whatever its level.
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

  /// Waits until all is written, but not for a reader that stalls.
  func flush(seconds: Double = 1) { writer.flush(seconds: seconds) }

  /// Lines that were dropped since they were read too slowly.
  var droppedLines: Int { writer.droppedLines }
}
