package import CellTemplates

/// Everything that is wrong with a templates folder: its templates, and its sample rows.
///
/// An error hides nothing but what cannot be known for it: of a template with an error, and of those that
/// call it, the sample rows are not held against it.
package struct FolderCheck {
  /// Errors and warnings, sorted by place.
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var kindCount = 0
  package private(set) var sampleRowCount = 0

  /// - Parameters:
  ///   - path: the folder; diagnostics print it as it is given.
  ///   - schemes: what links may carry.
  ///   - budget: what the check may take; where it is spent, that is all that is told.
  ///   - executor: where sample rows are rendered; the caller is on it.
  package init(
    _ path: String, schemes: URLSchemes = .standard, budget: LoadBudget = LoadBudget(),
    executor: any SerialExecutor
  ) {
    do throws(TemplateErrors) {
      check(try TemplateFolder.readSome(path, budget: budget), schemes, budget, executor)
    } catch {
      diagnostics = error.diagnostics
    }
    if let fault = budget.fault { diagnostics = [fault] }
    // A called cell may be told of by several samples.
    diagnostics.sort(by: Diagnostic.precedes)
  }

  private mutating func check(
    _ folder: TemplateFolder, _ schemes: URLSchemes, _ budget: LoadBudget, _ executor: any SerialExecutor
  ) {
    var archive: CellArchive?
    var broken: Set<String> = []
    do throws(TemplateErrors) {
      let compiled = try TemplateCompiler.compile(
        folder.sources, nibs: folder.nibs, files: folder.files, schemes: schemes, budget: budget)
      diagnostics = compiled.warnings
      kindCount = compiled.archive.kindCount
      archive = compiled.archive
    } catch {
      diagnostics = error.diagnostics
      if budget.isSpent { return }
      let rest = TemplateCompiler.compileSound(
        beside: diagnostics, folder.sources, nibs: folder.nibs, files: folder.files, schemes: schemes,
        budget: budget)
      diagnostics += rest?.warnings ?? []
      archive = rest?.archive
      broken = rest?.broken ?? []
    }
    if let archive { check(folder, archive, broken: broken, budget, executor) }
    if folder.diagnostics.isEmpty { return }
    // A kind that is missing may be what could not be read.
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
    // The factory's closures run at once and on this thread: nobody else has either meanwhile.
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
