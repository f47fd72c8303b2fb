/// The templates without errors, compiled without the others, to report what else can be found.
package struct SoundTemplates {
  package let archive: CellArchive
  /// Warnings about holes that no data fills. Warnings about calls are omitted, because templates with errors
  /// would be missing.
  package let warnings: [Diagnostic]
  /// Kinds that have an error, or that call such a kind by name, directly or indirectly.
  package let broken: Set<String>
}

extension TemplateCompiler {
  /// Compiles the templates that have no errors.
  /// - Parameters:
  ///   - errors: the errors that `compile` reported for the same templates.
  ///   - sources: like the other parameters, as passed to `compile`.
  /// - Returns: nil if even the rest cannot be compiled.
  package static func compileSound(
    beside errors: [Diagnostic], _ sources: [TemplateSource], nibs: [TemplateSource],
    with settings: TemplateSettings
  ) -> SoundTemplates? {
    let budget = settings.budget
    // The memory kept for the failed compilation was released.
    budget.forgetKept()
    let nibs = read(nibs, budget: budget)
    var positions: [ExactString: [(line: Int, column: Int)]] = [:]
    for error in errors where error.severity == .error {
      positions[ExactString(error.file), default: []].append((error.line, error.column))
    }
    for file in positions.keys { positions[file]?.sort(by: <) }
    let all = sources + nibs.flatMap(\.cells)
    let faulty = Set(
      all.filter { source in positions[ExactString(source.file)].map { source.holdsAny(of: $0) } == true }
        .map(
          \.kind))
    var reported: [Diagnostic] = []
    let sound = uniqueKinds(all.filter { !faulty.contains($0.kind) }, &reported)
    let templates = parse(sound, with: settings)
    let compiler = TemplateCompiler(templates, nibs, settings)
    compiler.walks.walkAll()
    let found = templates.flatMap(\.diagnostics) + compiler.walks.diagnostics
    if budget.isSpent || found.contains(where: { $0.severity == .error }) { return nil }
    let tables = compiler.tables()
    if budget.isSpent || tables.formats.count > FormatEntry.limit || compiler.describedTooMuch(tables) != nil
    {
      return nil
    }
    let archive = CellArchive(trusted: tables)
    return SoundTemplates(
      archive: archive, warnings: compiler.warnings(), broken: broken(faulty, callersIn: templates))
  }

  private static func broken(_ faulty: Set<String>, callersIn templates: [ParsedTemplate]) -> Set<String> {
    var callers: [String: [String]] = [:]
    for template in templates {
      for call in template.calls where KindName.isValid(call.kind) {
        callers[call.kind, default: []].append(template.source.kind)
      }
    }
    var broken = faulty
    var queue = Array(faulty)
    while let kind = queue.popLast() {
      for caller in callers[kind] ?? [] where broken.insert(caller).inserted { queue.append(caller) }
    }
    return broken
  }
}

extension TemplateSource {
  /// Whether any of the sorted positions is inside the template. A position for the whole file always is.
  fileprivate func holdsAny(of positions: [(line: Int, column: Int)]) -> Bool {
    if positions.first?.line == 0 || cell == nil { return true }
    let start = position(of: definition)
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] <= position(of: content.upperBound)
  }
}
