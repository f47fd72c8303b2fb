/// The format of log lines.
enum LogFormat: String, CaseIterable, Sendable {
  /// `2026-01-31T12:00:00.123Z info serving kinds=11 workers=2`
  case text
  /// `{"time":"2026-01-31T12:00:00.123Z","level":"info","message":"serving","kinds":11,"workers":2}`
  case json
}
