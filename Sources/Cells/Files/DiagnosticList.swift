package import CellTemplates

/// Writes diagnostics as JSON for editors and other tools.
package enum DiagnosticList {
  private static let partBytes = 1 << 16

  /// Writes an array with one object per line: `file`, `line`, `column`, `severity`, `code`, `message`, `hint`.
  /// - Parameter write: gets the array in parts, for it may be as large as all templates.
  package static func write(_ diagnostics: [Diagnostic], _ write: (UnsafeRawBufferPointer) -> Void) {
    var output = ByteBuffer()
    output.append("[")
    for (index, diagnostic) in diagnostics.enumerated() {
      if output.count > partBytes {
        write(output.bytes)
        output.reset(keptCapacity: 2 * partBytes)
      }
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
    write(output.bytes)
  }

  private static func append(_ text: String, to output: inout ByteBuffer) {
    Array(text.utf8).withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
  }
}
