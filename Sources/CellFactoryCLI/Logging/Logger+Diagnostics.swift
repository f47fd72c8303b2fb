import CellTemplates
import Logging

extension Logger {
  /// Logs each diagnostic in a separate line, as printed by `check`, with its hint as a field.
  func log(_ diagnostics: some Sequence<Diagnostic>) {
    for diagnostic in diagnostics {
      let line = diagnostic.description.prefix { $0 != "\n" }
      log(
        level: diagnostic.severity == .error ? .error : .warning, "\(line)",
        metadata: ["hint": "\(diagnostic.hint)"])
    }
  }
}
