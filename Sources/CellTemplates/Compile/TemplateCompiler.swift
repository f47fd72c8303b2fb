/// Compiles a set of templates into one archive.
///
/// The archive's bytes depend only on the templates' kinds, modes and texts and on the URL schemes, not on
/// their order or paths. The cost is linear in the size of the templates and their calls.
package struct TemplateCompiler {
  private let templates: [ParsedTemplate]
  private let schemes: URLSchemes
  private let builder = TableBuilder()
  private let describer: KindDescriber
  private let linker: ProgramLinker
  private let budget: LoadBudget
  let walks: WalkSet

  /// - Parameters:
  ///   - sources: Mustache files.
  ///   - nibs: HTML files with cells; their `kind` is the nib's name.
  ///   - files: where images embedded in nibs are read.
  ///   - schemes: the URL schemes allowed in links; stored in the archive.
  ///   - budget: the work that the compilation may do.
  /// - Throws: one error if the budget is spent; otherwise all errors of all templates, together with the
  ///   warnings.
  /// - Returns: the archive and the warnings.
  package static func compile(
    _ sources: [TemplateSource], nibs: [TemplateSource] = [], files: NibFiles = .none,
    schemes: URLSchemes = .standard, budget: LoadBudget = LoadBudget()
  ) throws(TemplateErrors) -> (archive: CellArchive, warnings: [Diagnostic]) {
    let nibs = read(nibs, budget: budget)
    var diagnostics = nibs.flatMap(\.diagnostics)
    let unique = uniqueKinds(sources + nibs.flatMap(\.cells), &diagnostics)
    let templates = parse(unique, files: files, schemes: schemes, budget: budget)
    for template in templates { diagnostics += template.diagnostics }
    let compiler = TemplateCompiler(templates, nibs, schemes, budget)
    diagnostics += compiler.checkCalls()
    compiler.walks.walkAll()
    diagnostics += compiler.walks.diagnostics
    if let fault = budget.fault { throw TemplateErrors([fault]) }
    if diagnostics.contains(where: { $0.severity == .error }) { throw TemplateErrors(diagnostics) }
    let tables = compiler.tables()
    if let fault = budget.fault ?? compiler.toldTooMuch(tables) { throw TemplateErrors([fault]) }
    let archive = CellArchive(trusted: tables)
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
    _ sources: [TemplateSource], files: NibFiles, schemes: URLSchemes, budget: LoadBudget
  ) -> [ParsedTemplate] {
    sources.map { source in
      budget.file = source.file
      let elements = source.cell.map { _ in
        NibElements(source, schemes: schemes, files: files, budget: budget)
      }
      return ParsedTemplate(source, observer: elements, budget: budget)
    }
  }

  init(_ templates: [ParsedTemplate], _ nibs: [Nib], _ schemes: URLSchemes, _ budget: LoadBudget) {
    self.templates = templates
    self.budget = budget
    describer = KindDescriber(nibs, builder: builder)
    self.schemes = schemes
    walks = WalkSet(templates, schemes: schemes, budget: budget)
    linker = ProgramLinker(kinds: templates.map(\.source.kind), budget: budget)
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
        let place = earlier.position(of: earlier.definition)
        diagnostics.append(
          Diagnostic(
            .duplicateKind, in: source, at: source.definition,
            "the kind \"\(source.kind)\" is already defined at \(earlier.file):\(place.line):\(place.column)",
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
    for template in templates {
      for call in template.calls where budget.spend() {
        guard let index = linker.template(ofKind: call.kind) else {
          let warning = Diagnostic(
            .unknownPartial, in: template.source, at: call.at,
            "no cell of kind \"\(call.kind)\" exists; this prints nothing",
            hint: "fix the name, or add the cell")
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

  /// The tables; inconsistent if the budget is spent.
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
    builder.tables.schemes = schemes.names.map(builder.literal)
    return builder.tables
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

  /// The programs that a program calls by static names, in order of first appearance; at most `linkLimit`.
  private func calledPrograms(_ program: ProgramEntry) -> [UInt32] {
    budget.spend(Int(program.opCount))
    var called = UniqueList<UInt32>()
    for op in builder.tables.ops[Int(program.opStart)..<Int(program.opStart + program.opCount)]
    where op.code == OpCode.call.rawValue || op.code == OpCode.parent.rawValue {
      let callee = builder.tables.calls[Int(op.a)].program
      if callee != noIndex { called.add(callee) }
      if called.count == Self.linkLimit { break }
    }
    return called.elements
  }

  private func addKind(_ index: Int, calls: [[UInt32]], hashes: [ContentHash]) {
    let template = templates[index]
    let program = linker.program(ProgramLinker.Key(template: index, marksLines: false))
    let indented = linker.existingProgram(ProgramLinker.Key(template: index, marksLines: true)) ?? noIndex
    var entry = KindEntry(
      name: builder.literal(template.source.kind), isText: template.source.mode == .text ? 1 : 0,
      program: program,
      indentedProgram: indented, linkStart: UInt32(builder.tables.links.count), linkCount: 0, slotCount: 0,
      nameStart: 0, nameCount: 0, partialStart: 0, partialCount: 0, nib: noIndex, order: noIndex,
      classStart: 0,
      classCount: 0, partStart: 0, partCount: 0, versionHighHigh: 0, versionHighLow: 0, versionLowHigh: 0,
      versionLowLow: 0)
    let reached = reachablePrograms(from: program, calls: calls)
    for callee in reached {
      builder.tables.links.append(LinkEntry(program: callee, slotBase: entry.slotCount))
      entry.slotCount += builder.tables.programs[Int(callee)].slotCount
    }
    entry.linkCount = UInt32(reached.count)
    describer.describe(&entry, template, number: index, actions: elements(of: index)?.parts ?? [])
    entry.version = version(reached, hashes)
    builder.tables.kinds.append(entry)
  }

  /// The observer of a template's elements, if it is a nib's cell.
  private func elements(of index: Int) -> NibElements? { templates[index].observer as? NibElements }

  /// The most programs of one kind with hint slots in its cells; programs further down use none.
  private static let linkLimit = 256

  /// The program itself, then the programs it calls, nearest first. The hint slots of a cell are in this
  /// order.
  private func reachablePrograms(from program: UInt32, calls: [[UInt32]]) -> [UInt32] {
    var reached = [program]
    var seen: Set<UInt32> = [program]
    var next = 0
    while next < reached.count, reached.count < Self.linkLimit {
      for callee in calls[Int(reached[next])] where seen.insert(callee).inserted {
        reached.append(callee)
        if reached.count == Self.linkLimit { break }
      }
      budget.spend(calls[Int(reached[next])].count)
      next += 1
    }
    return reached
  }

  /// A kind's version. It changes with the text of its template and of every template it calls by name, and
  /// with the allowed URL schemes.
  private func version(_ reached: [UInt32], _ hashes: [ContentHash]) -> ContentHash {
    var text: [UInt8] = []
    var seen: Set<UInt32> = []
    for program in reached {
      let kind = builder.tables.programs[Int(program)].kind
      if seen.insert(kind).inserted { text += Array(hashes[Int(kind)].hex.utf8) }
    }
    for scheme in schemes.names { text += Array(scheme.utf8) + [0] }
    return ContentHash(of: text)
  }

  /// The hash of a template's own text and images. Computed once for each, because many kinds may call one
  /// large template.
  private func contentHash(of index: Int) -> ContentHash {
    let source = templates[index].source
    budget.spend(source.content.count)
    var text = Array(source.kind.utf8) + [0, source.mode == .text ? 1 : 0]
    text += Array(String(source.content.count).utf8) + [0]
    text += source.bytes[source.content]
    for image in elements(of: index)?.images.sorted(by: { $0.key < $1.key }) ?? [] {
      text += Array(String(image.value.count).utf8) + [0]
      text += image.value
    }
    return ContentHash(of: text)
  }

  /// The error for an archive whose descriptions are longer than readers accept; such an archive is not
  /// written.
  func toldTooMuch(_ tables: ArchiveTables) -> Diagnostic? {
    guard let kind = ToldSizes(tables).firstBeyondLimit else { return nil }
    return Diagnostic(
      .loadLimit, file: templates[kind].source.file,
      message:
        "the descriptions of the kinds for GET /kinds, with the styles of their nibs, are too long",
      hint: "move styles from <style> elements into stylesheets, and shorten names, classes and placeholders")
  }
}
