/// What a set of templates is compiled with, besides the templates.
package struct TemplateSettings {
  /// Where images embedded in nibs are read.
  package let files: NibFiles
  /// The URL schemes allowed in links; stored in the archive.
  package let schemes: URLSchemes
  /// Custom elements, and what their attributes take.
  package let elements: CustomElements
  /// The formats that `formats.json` names.
  package let formats: NamedFormats
  /// What the cells are offered in; stored in the archive if any cell depends on it.
  package let locales: OfferedLocales
  /// The work that the compilation may do.
  package let budget: LoadBudget

  package init(
    files: NibFiles = .none, schemes: URLSchemes = .standard, elements: CustomElements = .none,
    formats: NamedFormats = .none, locales: OfferedLocales = .english, budget: LoadBudget = LoadBudget()
  ) {
    self.files = files
    self.schemes = schemes
    self.elements = elements
    self.formats = formats
    self.locales = locales
    self.budget = budget
  }
}
