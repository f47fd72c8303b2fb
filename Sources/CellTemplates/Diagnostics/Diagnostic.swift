/// An error or warning at one position of a template, with a hint how to fix it.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// The severity of a diagnostic; the raw value is how it is printed.
  public enum Severity: String, Sendable {
    /// The templates are refused.
    case error
    /// The templates are accepted.
    case warning
  }

  /// The kind of problem, which determines the severity and has a documented example with its fix.
  public let code: DiagnosticCode
  /// The folder's path as given, joined with the file's relative path.
  public let file: String
  /// Counted from 1; 0 if the diagnostic is about the whole file.
  public let line: Int
  /// Counted from 1, in UTF-8 bytes; 0 if the diagnostic is about the whole file.
  public let column: Int
  /// What is wrong.
  public let message: String
  /// How to fix it.
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

  /// Whether the templates are refused because of it.
  public var severity: Severity { code.severity }

  /// The format that compilers print and editors parse, with the hint on a separate line. U+FFFD stands for each control
  /// character, which could move the cursor or end the line: names of files and folders may have some.
  public var description: String {
    let position = line > 0 ? "\(file):\(line):\(column)" : file
    let found = NameRule.withoutControls("\(position): \(severity.rawValue): \(message) [\(code.rawValue)]")
    return "\(found)\n  hint: \(NameRule.withoutControls(hint))"
  }

  /// Orders by file, then by position.
  package static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    let (file, other) = (ExactString(left.file), ExactString(right.file))
    if file != other { return file < other }
    if left.line != right.line { return left.line < right.line }
    if left.column != right.column { return left.column < right.column }
    return ExactString(left.message) < ExactString(right.message)
  }
}

/// The errors for which a set of templates was refused, together with the warnings.
public struct TemplateErrors: Error, Sendable, CustomStringConvertible {
  /// Sorted by position; at least one is an error.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sorted(by: Diagnostic.precedes)
  }

  /// All diagnostics, as printed by compilers.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
