package import CellTemplates

/// All errors and warnings in a templates folder: its templates and its sample rows.
///
/// An error does not hide others, except where it makes them uncertain: sample rows are not checked for a
/// template with an error or for templates that call it.
package struct FolderCheck {
  /// Errors and warnings, sorted by position.
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var kindCount = 0
  package private(set) var sampleRowCount = 0

  /// - Parameters:
  ///   - path: the folder. Diagnostics print it as given.
  ///   - schemes: the URL schemes allowed in links.
  ///   - assets: what becomes of the files that nibs link to.
  ///   - locales: what the cells are offered in.
  ///   - budget: the work the check may do. If it runs out, only that is reported.
  ///   - executor: where sample rows are rendered; the caller runs on it.
  package init(
    _ path: String, schemes: URLSchemes = .standard, assets: AssetOptions = AssetOptions(),
    locales: OfferedLocales = .english, budget: LoadBudget = LoadBudget(), executor: any SerialExecutor
  ) {
    do throws(TemplateErrors) {
      let folder = try TemplateFolder.readSome(path, budget: budget)
      // Without these files, templates would have errors that follow from theirs.
      let settings = TemplateSettings(
        files: folder.files, schemes: schemes, elements: try folder.customElements(),
        formats: try folder.formatNames(), locales: locales, budget: budget)
      check(path, folder, folder.assets(assets), settings, executor)
    } catch {
      diagnostics = error.diagnostics
    }
    if let fault = budget.fault { diagnostics = [fault] }
    // Several samples may have reported the same called cell.
    diagnostics.sort(by: Diagnostic.precedes)
  }

  private mutating func check(
    _ path: String, _ folder: TemplateFolder, _ assets: AssetSource, _ settings: TemplateSettings,
    _ executor: any SerialExecutor
  ) {
    let budget = settings.budget
    var archive: CellArchive?
    var broken: Set<String> = []
    do throws(TemplateErrors) {
      let compiled = try TemplateCompiler.compile(
        folder.sources, nibs: folder.nibs, assets: assets, with: settings)
      diagnostics = compiled.warnings
      kindCount = compiled.archive.kindCount
      archive = compiled.archive
    } catch {
      diagnostics = error.diagnostics
      if budget.isSpent { return }
      let rest = TemplateCompiler.compileSound(
        beside: diagnostics, folder.sources, nibs: folder.nibs, with: settings)
      diagnostics += rest?.warnings ?? []
      archive = rest?.archive
      broken = rest?.broken ?? []
    }
    if let archive { check(folder, archive, broken: broken, budget, executor) }
    diagnostics += folder.warnings
    // Cells with errors have been reported.
    if kindCount == 0, !diagnostics.contains(where: { $0.severity == .error }), folder.diagnostics.isEmpty {
      diagnostics.append(
        Diagnostic(
          .noCell, file: path, message: "there is no cell in this folder",
          hint: "name the folder with the templates, or write NAME.mustache or a nib with data-cell"))
    }
    if folder.diagnostics.isEmpty { return }
    // A missing kind may be one that could not be read.
    diagnostics.removeAll { [.unknownPartial, .sampleWithoutKind].contains($0.code) }
    diagnostics += folder.diagnostics
  }

  private mutating func check(
    _ folder: TemplateFolder, _ archive: CellArchive, broken: Set<String>, _ budget: LoadBudget,
    _ executor: any SerialExecutor
  ) {
    if folder.samples.isEmpty { return }
    let factory = CellFactory(archive: archive, reuse: ReusePolicy(), executor: executor)
    var texts: [String: TemplateSource] = [:]
    for source in folder.sources where source.mode == .text { texts[source.kind] = source }
    // Neither is Sendable, which a closure of the factory requires. Sound, because it runs at once on this
    // thread, and nothing else uses the two meanwhile.
    nonisolated(unsafe) let shapes = DataShape.ofAllKinds(in: archive, budget: budget)
    nonisolated(unsafe) let budget = budget
    for sample in folder.samples where budget.spend(sample.bytes.count) {
      budget.file = sample.file
      let result = factory.assumeIsolated {
        SampleCheck.run(sample, broken: broken, shapes: shapes, texts: texts, budget: budget, with: $0)
      }
      diagnostics += result.diagnostics
      sampleRowCount += result.rows
    }
  }
}
