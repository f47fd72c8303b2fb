import Logging

/// Writes each log event as one line, with fields sorted by name.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let format: LogFormat
  private let writer: LogWriter

  init(level: Logger.Level, format: LogFormat, writer: LogWriter) {
    logLevel = level
    self.format = format
    self.writer = writer
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var line = LogLine(format, .now, event.level, event.message.description, into: [UInt8]())
    var fields = metadata
    if let own = event.metadata { fields.merge(own) { $1 } }
    if let error = event.error { fields["error"] = "\(error)" }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { line.field(name, value) }
    line.end().withUnsafeBytes { writer.append($0, isRoutine: false) }
  }
}
