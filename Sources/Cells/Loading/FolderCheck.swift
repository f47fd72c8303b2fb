package import CellTemplates

/// Everything that is wrong with a templates folder: its templates, and its sample rows.
package struct FolderCheck {
  /// Errors and warnings, sorted by place.
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var kindCount = 0
  package private(set) var sampleRowCount = 0

  /// - Parameters:
  ///   - path: the folder; diagnostics print it as it is given.
  ///   - schemes: what links may carry.
  ///   - executor: where sample rows are rendered; the caller is on it.
  package init(_ path: String, schemes: URLSchemes = .standard, executor: any SerialExecutor) {
    do throws(TemplateErrors) {
      let folder = try TemplateFolder.read(path)
      let compiled = try TemplateCompiler.compile(
        folder.sources, nibs: folder.nibs, files: folder.files, schemes: schemes)
      diagnostics = compiled.warnings
      kindCount = compiled.archive.kindCount
      let factory = CellFactory(archive: compiled.archive, reuse: ReusePolicy(), executor: executor)
      var texts: [String: TemplateSource] = [:]
      for source in folder.sources where source.mode == .text { texts[source.kind] = source }
      for sample in folder.samples {
        let result = factory.assumeIsolated { SampleCheck.run(sample, texts: texts, with: $0) }
        diagnostics += result.diagnostics
        sampleRowCount += result.rows
      }
      // A called cell may be told of by several samples.
      diagnostics = diagnostics.sorted(by: Diagnostic.precedes)
    } catch {
      diagnostics = error.diagnostics
    }
  }
}
