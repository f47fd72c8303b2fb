import CellServer
import Glibc
import Logging

/// The process's log: lines on standard error.
struct ServerLog: Sendable {
  let logger: Logger
  let complaints: Complaints
  /// `nil`: requests are not logged.
  let access: AccessLog?
  private let writer: LogWriter

  /// To be called once: it becomes swift-log's, too. What was logged is written before the process exits.
  init(level: Logger.Level, format: LogFormat, logsRequests: Bool) {
    let writer = LogWriter(descriptor: STDERR_FILENO, format: format)
    self.writer = writer
    LoggingSystem.bootstrap { _ in LineLogHandler(level: level, format: format, writer: writer) }
    logger = Logger(label: "cellfactory")
    complaints = Complaints(to: logger)
    access = logsRequests && level <= .info ? AccessLog(format: format, writer: writer) : nil
    if logsRequests && access == nil {
      logger.warning(
        "requests are not logged: their lines are of level info", metadata: ["log_level": "\(level.rawValue)"]
      )
    }
  }

  /// Waits until all is written, but not for a reader that stalls.
  func flush(seconds: Double = 1) { writer.flush(seconds: seconds) }

  /// Lines that were dropped since they were read too slowly.
  var droppedLines: Int { writer.droppedLines }
}
