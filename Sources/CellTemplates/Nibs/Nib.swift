/// What a nib holds: its cells, and the styles that all of them are shown with.
struct Nib {
  let source: TemplateSource
  /// In the order of the document.
  fileprivate(set) var cells: [TemplateSource] = []
  /// `<style>` elements and links to stylesheets, as they are written.
  fileprivate(set) var styles: [String] = []
  fileprivate(set) var diagnostics: [Diagnostic] = []

  /// The nib's path below the folder, without the ending.
  var name: String { source.kind }

  /// Finds the cells of a nib; what is wrong with one is told, and the others are found.
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
