import CellServer
import Logging

/// Logs a line for each request at level info. Bypasses the logger, which would allocate for each field.
struct AccessLog: Sendable {
  private let format: LogFormat
  private let writer: LogWriter

  /// Longer paths are truncated.
  private static let pathLimitBytes = 200
  private static let methodLimitBytes = 32
  private static let idLimitBytes = 128
  /// Room for all fields: a method is a token, path and id are visible ASCII, and `"` and `\` take two bytes.
  /// Allocated on the stack.
  private static let lineBytes = 1024

  init(format: LogFormat, writer: LogWriter) {
    self.format = format
    self.writer = writer
  }

  func log(_ record: RequestRecord) {
    withUnsafeTemporaryAllocation(byteCount: Self.lineBytes, alignment: 1) { memory in
      // The memory outlives the line, and the writer copies it.
      var line = LogLine(format, .now, .info, "request", into: FixedBytes(memory))
      line.field("method", record.method, limitBytes: Self.methodLimitBytes)
      line.field("path", record.path, limitBytes: Self.pathLimitBytes)
      line.field("status", record.status)
      line.field("bytes", record.bytes)
      line.field("duration_us", record.microseconds)
      line.field("request_id", record.requestID, limitBytes: Self.idLimitBytes)
      if let trace = record.trace {
        line.field("trace_id", hex: trace.traceID.high, trace.traceID.low)
        line.field("parent_id", hex: nil, trace.parentID)
      }
      writer.append(line.end().bytes, isRoutine: true)
    }
  }
}
