extension Diagnostic {
  /// A diagnostic at an offset of a template.
  package init(
    _ code: DiagnosticCode, in source: TemplateSource, at offset: Int, _ message: String, hint: String
  ) {
    let position = source.position(of: offset)
    self.init(
      code, file: source.file, line: position.line, column: position.column, message: message, hint: hint)
  }
}
