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
      for sample in folder.samples {
        let result = factory.assumeIsolated { Self.check(sample, with: $0) }
        diagnostics += result.diagnostics
        sampleRowCount += result.rows
      }
      diagnostics.sort(by: Diagnostic.precedes)
    } catch {
      diagnostics = error.diagnostics
    }
  }

  private static func check(
    _ sample: TemplateFolder.Sample, with factory: isolated CellFactory
  ) -> (diagnostics: [Diagnostic], rows: Int) {
    guard let kind = factory.archive.kindNumber(sample.kind) else {
      let warning = Diagnostic(
        .sampleWithoutKind, file: sample.file, line: 1, column: 1,
        message: "there is no cell of kind \"\(sample.kind)\"",
        hint: "name it like the template it belongs to, or remove it")
      return ([warning], 0)
    }
    var text = ByteBuffer(capacity: sample.bytes.count)
    text.append(sample.bytes)
    factory.forgetRows()
    let root: JSONTape.Index
    do throws(JSONFault) {
      root = try factory.parser.parse(
        &text, in: 0..<text.count, names: factory.names, depthLimit: JSONParser.defaultDepthLimit)
    } catch {
      let place = lineAndColumn(of: error.offset, in: text.bytes)
      let fault = Diagnostic(
        .invalidSample, file: sample.file, line: place.line, column: place.column,
        message: "this is no JSON: \(error.reason)", hint: "write an array of rows")
      return ([fault], 0)
    }
    let tape = factory.parser.tape(over: text)
    guard tape.kind(root) == .array else {
      let fault = Diagnostic(
        .invalidSample, file: sample.file, line: 1, column: 1, message: "sample rows are an array",
        hint: "put the row into brackets: [ … ]")
      return ([fault], 0)
    }
    let rows = tape.elements(of: root)
    var faults: [Diagnostic] = []
    let cell = factory.dequeueReusableCell(ofKind: kind)
    defer { factory.enqueue(cell) }
    for (place, row) in rows.enumerated() {
      cell.buffer.truncate(to: 0)
      do throws(RenderFault) {
        let context = RowContext(row: row, place: place, count: rows.count)
        try factory.draw(cell, context, on: tape, limits: RenderLimits(), into: &cell.buffer)
      } catch {
        // Behind a string's quote; of all others the first byte. The sample's own bytes: parsing changed the copy.
        let offset = tape.offset(row) - (tape.kind(row) == .string ? 1 : 0)
        let position = sample.bytes.withUnsafeBytes { lineAndColumn(of: offset, in: $0) }
        faults.append(
          Diagnostic(
            .badSampleRow, file: sample.file, line: position.line, column: position.column,
            message: "row \(place) cannot be rendered: \(error.description)",
            hint: "mend the row, or the template"))
      }
    }
    return (faults, rows.count)
  }
}
