/// Compiles a set of templates into one archive.
///
/// The archive's bytes depend only on the templates' kinds, modes and texts, on the URL schemes and on the types that
/// samples show, not on their order or paths. The cost is linear in the size of the templates and their calls.
package struct TemplateCompiler {
  let templates: [ParsedTemplate]
  let settings: TemplateSettings
  /// The hash of the declared custom elements and the named formats, a part of each kind's version; empty without any.
  let declarationsHash: [UInt8]
  let builder = TableBuilder()
  let describer: KindDescriber
  let linker: ProgramLinker
  let walks: WalkSet

  var budget: LoadBudget { settings.budget }

  /// - Parameters:
  ///   - sources: Mustache files.
  ///   - nibs: HTML files with cells; their `kind` is the nib's name.
  ///   - assets: where the files that nibs link to are read; stored in the archive, with the files.
  ///   - samples: what the sample rows of kinds show of their types.
  /// - Throws: one error if the budget is spent; otherwise all errors of all templates, together with the
  ///   warnings.
  /// - Returns: the archive and the warnings.
  package static func compile(
    _ sources: [TemplateSource], nibs: [TemplateSource] = [], assets: AssetSource = .none,
    samples: [String: SampleTypes] = [:], with settings: TemplateSettings = TemplateSettings()
  ) throws(TemplateErrors) -> (archive: CellArchive, warnings: [Diagnostic]) {
    let budget = settings.budget
    var collector = AssetCollector(from: assets, budget: budget)
    for nib in nibs { collector.add(nib) }
    let nibs = read(nibs, budget: budget)
    var diagnostics = nibs.flatMap(\.diagnostics) + collector.diagnostics
    let unique = uniqueKinds(sources + nibs.flatMap(\.cells), &diagnostics)
    let templates = parse(
      unique, links: links(to: collector.assets, at: assets.options.url), with: settings)
    for template in templates { diagnostics += template.diagnostics }
    let compiler = TemplateCompiler(templates, nibs, settings)
    diagnostics += compiler.checkCalls()
    compiler.walks.walkAll()
    diagnostics += compiler.walks.diagnostics
    if let fault = budget.fault { throw TemplateErrors([fault]) }
    if diagnostics.contains(where: { $0.severity == .error }) { throw TemplateErrors(diagnostics) }
    var tables = compiler.tables()
    compiler.add(samples, to: &tables)
    compiler.add(collector.assets, assets.options.url, to: &tables)
    if let fault = budget.fault ?? compiler.tooManyFormats(tables) ?? compiler.describedTooMuch(tables) {
      throw TemplateErrors([fault])
    }
    let archive = CellArchive(trusted: tables, examples: compiler.examples(of: samples))
    diagnostics += compiler.warnings()
    if let fault = budget.fault { throw TemplateErrors([fault]) }
    return (archive, diagnostics.sorted(by: Diagnostic.precedes))
  }

  static func read(_ nibs: [TemplateSource], budget: LoadBudget) -> [Nib] {
    nibs.map { nib in
      budget.file = nib.file
      return Nib(nib, budget: budget)
    }
  }

  static func parse(
    _ sources: [TemplateSource], links: AssetLinks? = nil, with settings: TemplateSettings
  ) -> [ParsedTemplate] {
    sources.map { source in
      settings.budget.file = source.file
      let observer = source.cell.map { _ in NibElements(source, links: links, settings) }
      return ParsedTemplate(
        source, observer: observer, formats: settings.formats, budget: settings.budget)
    }
  }

  init(_ templates: [ParsedTemplate], _ nibs: [Nib], _ settings: TemplateSettings) {
    self.templates = templates
    self.settings = settings
    describer = KindDescriber(nibs, builder: builder)
    let declarations = settings.elements.digest + settings.formats.digest
    declarationsHash = declarations.isEmpty ? [] : Array(ContentHash(of: declarations).hex.utf8)
    walks = WalkSet(
      templates, schemes: settings.schemes, elements: settings.elements, budget: settings.budget)
    linker = ProgramLinker(kinds: templates.map(\.source.kind), budget: settings.budget)
  }

  /// The sources by kind. A duplicate kind is reported at the later one.
  static func uniqueKinds(_ sources: [TemplateSource], _ diagnostics: inout [Diagnostic]) -> [TemplateSource]
  {
    var first: [String: TemplateSource] = [:]
    for source in sources.sorted(by: precedes) {
      if !KindName.isValid(source.kind) {
        diagnostics.append(
          Diagnostic(
            .invalidKind, file: source.file, line: 1, column: 1,
            message: "\"\(NameRule.shown(source.kind.utf8))\" is not a valid kind",
            hint: "use letters, digits, '.', '_' and '-' in the names of files and folders"))
      } else if let earlier = first[source.kind] {
        let position = earlier.position(of: earlier.definition)
        diagnostics.append(
          Diagnostic(
            .duplicateKind, in: source, at: source.definition,
            "the kind \"\(source.kind)\" is already defined at \(earlier.file):\(position.line):\(position.column)",
            hint: "rename one of the two"))
      } else {
        first[source.kind] = source
      }
    }
    return first.values.sorted { Array($0.kind.utf8).lexicographicallyPrecedes(Array($1.kind.utf8)) }
  }

  private static func precedes(_ left: TemplateSource, _ right: TemplateSource) -> Bool {
    let (file, other) = (ExactString(left.file), ExactString(right.file))
    return file == other ? left.definition < right.definition : file < other
  }

  private func checkCalls() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    lazy var kinds = NearNameIndex(templates.map(\.source.kind))
    for template in templates {
      for call in template.calls where budget.spend() {
        guard let index = linker.template(ofKind: call.kind) else {
          let warning = Diagnostic(
            .unknownPartial, in: template.source, at: call.at,
            "no cell of kind \"\(call.kind)\" exists; this prints nothing",
            hint: kinds.nearest(to: call.kind).map { "did you mean {{>\($0)}}?" }
              ?? "fix the name, or add the cell")
          if budget.keep(warning) { diagnostics.append(warning) }
          continue
        }
        if template.source.mode == .html, templates[index].source.mode == .text {
          let error = Diagnostic(
            .textInHTML, in: template.source, at: call.at,
            "the text cell \"\(call.kind)\" cannot be called in an HTML cell",
            hint: "call an HTML cell: rename its file to end in only .mustache")
          if budget.keep(error) { diagnostics.append(error) }
        }
      }
    }
    return diagnostics
  }

  // MARK: Programs

  /// Warnings about the templates whose programs were written.
  func warnings() -> [Diagnostic] {
    templates.enumerated().flatMap { number, template in
      describer.warnings(of: template, number: number, budget: budget)
    }
  }

  /// The tables; empty if the budget is spent before they are complete.
  func tables() -> ArchiveTables {
    for index in templates.indices {
      _ = linker.program(ProgramLinker.Key(template: index, marksLines: false))
    }
    writeQueued()
    let needsAllIndented = builder.tables.calls.contains { $0.dynamicPath != noIndex && $0.isIndented == 1 }
    if needsAllIndented {
      // A dynamic name may refer to any kind.
      for index in templates.indices {
        _ = linker.program(ProgramLinker.Key(template: index, marksLines: true))
      }
      writeQueued()
    }
    if budget.isSpent { return ArchiveTables() }
    let calls = builder.tables.programs.map(calledPrograms)
    let hashes = templates.indices.map(contentHash)
    for index in templates.indices where budget.spend() { addKind(index, calls: calls, hashes: hashes) }
    if budget.isSpent { return ArchiveTables() }
    addLocales()
    builder.tables.schemes = settings.schemes.names.map(builder.literal)
    return builder.tables
  }

  /// The examples of samples by kind number, as far as there is room.
  private func examples(of samples: [String: SampleTypes]) -> [UInt32: [UInt8]] {
    if samples.isEmpty { return [:] }
    var examples: [UInt32: [UInt8]] = [:]
    var left = SampleTypes.examplesLimitBytes
    for (kind, template) in templates.enumerated() {
      guard let rows = samples[template.source.kind]?.examples, !rows.isEmpty, rows.count <= left else {
        continue
      }
      left -= rows.count
      examples[UInt32(kind)] = rows
    }
    return examples
  }

  /// Adds what samples show, kind by kind, as far as there is room.
  private func add(_ samples: [String: SampleTypes], to tables: inout ArchiveTables) {
    if samples.isEmpty { return }
    for (kind, template) in templates.enumerated() {
      guard let entries = samples[template.source.kind]?.entries else { continue }
      let start = tables.sampleTypes.count
      guard start + entries.count <= SampleTypes.archiveLimit, budget.spend(entries.count) else { continue }
      for entry in entries {
        tables.sampleTypes.append(
          SampleTypeEntry(
            kind: UInt32(kind), parent: entry.parent.map { UInt32(start + $0) } ?? noIndex,
            name: builder.literal(entry.name), types: entry.types.rawValue))
      }
    }
    tables.literals = builder.tables.literals
  }

  private func writeQueued() {
    while !budget.isSpent, let key = linker.next() {
      let template = templates[key.template]
      budget.file = template.source.file
      let tree = walks.tree(WalkKey(template: key.template, context: key.context))
      let program = ProgramWriter.write(template, tree, key: key, into: builder, linker: linker)
      builder.tables.programs.append(program.entry)
      // Operations are small and are rows of tables.
      budget.keep(pieces: (Int(program.entry.opCount) + program.parts.count) / 2)
      describer.note(program.parts, program.partials, of: key.template)
    }
  }

  /// Adds the locales if any cell depends on its own.
  private func addLocales() {
    guard builder.tables.dependOnLocale else { return }
    var baker = LocaleBaker(settings.locales)
    for (number, template) in templates.enumerated() {
      builder.tables.kinds[number].locale = baker.number(of: template.source.cell?.language)
    }
    baker.bake(into: builder)
    budget.spend(builder.tables.pack.count)
  }

  private func tooManyFormats(_ tables: ArchiveTables) -> Diagnostic? {
    if tables.formats.count <= FormatEntry.limit { return nil }
    return Diagnostic(
      .loadLimit, file: templates[0].source.file,
      message: "there are more than \(FormatEntry.limit) different formats",
      hint: "use the same formats in several places")
  }

  /// The error for an archive whose descriptions are longer than readers accept; such an archive is not
  /// written.
  func describedTooMuch(_ tables: ArchiveTables) -> Diagnostic? {
    guard let kind = DescriptionSizes(tables).firstBeyondLimit else { return nil }
    return Diagnostic(
      .loadLimit, file: templates[kind].source.file,
      message:
        "the descriptions of the kinds for GET /kinds, with the styles of their nibs, are too long",
      hint: "move styles from <style> elements into stylesheets, and shorten names, classes and placeholders")
  }
}
