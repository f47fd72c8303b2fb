import CellTemplates

/// The nibs that the preview's own pages are drawn with, compiled.
struct PageNibs: Sendable {
  let archive: CellArchive
  /// By the kind of the one cell of each.
  let pages: [String: NibPage]

  /// Compiled when the first preview starts.
  static let shared: PageNibs = {
    do throws(TemplateErrors) { return try PageNibs() } catch {
      preconditionFailure("the preview's own nibs have errors: \(error.description)")
    }
  }()

  /// - Throws: what is wrong with the nibs.
  init() throws(TemplateErrors) {
    let nibs = PreviewResources.nibs.map { nib in
      TemplateSource(file: nib.name + ".html", kind: nib.name, mode: .html, bytes: nib.bytes)
    }
    archive = try TemplateCompiler.compile([], nibs: nibs).archive
    var pages: [String: NibPage] = [:]
    for nib in nibs {
      let page = NibPage(nib, budget: LoadBudget())
      for cell in page.cells { pages[cell.kind] = page }
    }
    self.pages = pages
  }
}
