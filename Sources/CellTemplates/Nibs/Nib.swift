/// The contents of a nib: its cells and their shared styles.
struct Nib {
  let source: TemplateSource
  /// In document order.
  fileprivate(set) var cells: [TemplateSource] = []
  /// `<style>` elements and stylesheet links, as written.
  fileprivate(set) var styles: [String] = []
  fileprivate(set) var diagnostics: [Diagnostic] = []

  /// The nib's path relative to the folder, without the extension.
  var name: String { source.kind }

  /// Finds the cells of a nib. Reports errors in a cell and continues with the others.
  init(_ source: TemplateSource, budget: LoadBudget = LoadBudget()) {
    self.source = source
    if let fault = NameRule.fault(in: source.kind.utf8) {
      diagnostics = [
        Diagnostic(
          .invalidName, file: source.file, message: "the nib's name \(fault)",
          hint: "give the file a short name of visible characters")
      ]
      return
    }
    if let fault = UTF8Fault.diagnostic(in: source) {
      diagnostics = [fault]
      return
    }
    var reader = NibReader(source, budget: budget)
    reader.read()
    cells = reader.cells
    styles = reader.styles
    diagnostics = reader.diagnostics
  }
}
