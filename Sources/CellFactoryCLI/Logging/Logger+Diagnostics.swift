import CellTemplates
import Logging

extension Logger {
  /// Logs each as `check` prints it, in a line of its own, with its hint beside it.
  func log(_ diagnostics: some Sequence<Diagnostic>) {
    for diagnostic in diagnostics {
      let line = diagnostic.description.prefix { $0 != "\n" }
      log(
        level: diagnostic.severity == .error ? .error : .warning, "\(line)",
        metadata: ["hint": "\(diagnostic.hint)"])
    }
  }
}
