package import CellTemplates

/// Writes diagnostics as JSON for editors and other tools.
package enum DiagnosticList {
  /// Writes an array with one object per line: `file`, `line`, `column`, `severity`, `code`, `message`,
  /// `hint`.
  package static func append(_ diagnostics: [Diagnostic], to output: inout ByteBuffer) {
    output.append("[")
    for (index, diagnostic) in diagnostics.enumerated() {
      output.append(index == 0 ? "\n" : ",\n")
      output.append("{\"file\":")
      append(diagnostic.file, to: &output)
      output.append(",\"line\":")
      output.append(decimal: diagnostic.line)
      output.append(",\"column\":")
      output.append(decimal: diagnostic.column)
      for (name, text) in [
        ("severity", diagnostic.severity.rawValue), ("code", diagnostic.code.rawValue),
        ("message", diagnostic.message), ("hint", diagnostic.hint),
      ] {
        output.append(text: ",\"\(name)\":")
        append(text, to: &output)
      }
      output.append("}")
    }
    output.append(diagnostics.isEmpty ? "]\n" : "\n]\n")
  }

  private static func append(_ text: String, to output: inout ByteBuffer) {
    Array(text.utf8).withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
  }
}
