/// What is wrong, or odd, at one place of a template, and how to mend it.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// What comes of a diagnostic; the raw value is its name in print.
  public enum Severity: String, Sendable {
    /// The templates are refused.
    case error
    /// The templates are taken.
    case warning
  }

  /// What kind of fault it is: its severity, and a documented example with its mend.
  public let code: DiagnosticCode
  /// The folder's path as given, joined with the file's path below it.
  public let file: String
  /// Counted from 1; 0 where the whole file is meant.
  public let line: Int
  /// Counted from 1, in UTF-8 bytes; 0 where the whole file is meant.
  public let column: Int
  /// What is wrong.
  public let message: String
  /// How to mend it.
  public let hint: String

  package init(
    _ code: DiagnosticCode, file: String, line: Int = 0, column: Int = 0, message: String, hint: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.hint = hint
  }

  /// Whether the templates are refused for it.
  public var severity: Severity { code.severity }

  /// The form compilers print and editors parse, the hint on a line of its own.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    return "\(place): \(severity.rawValue): \(message) [\(code.rawValue)]\n  hint: \(hint)"
  }

  /// By file, then by place.
  package static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    if left.file != right.file {
      return Array(left.file.utf8).lexicographicallyPrecedes(Array(right.file.utf8))
    }
    if left.line != right.line { return left.line < right.line }
    if left.column != right.column { return left.column < right.column }
    return left.message < right.message
  }
}

/// Every error, and the warnings beside them, that a set of templates was refused for.
public struct TemplateErrors: Error, Sendable, CustomStringConvertible {
  /// Sorted by place; at least one is an error.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sorted(by: Diagnostic.precedes)
  }

  /// All of them, as compilers print theirs.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
