/// Compiles a set of templates into one archive.
///
/// The archive's bytes depend on the templates' kinds, modes and texts and on the URL schemes alone: neither
/// on the order they come in nor on the paths they came from. Cost is linear in the size of the templates and
/// their calls.
package struct TemplateCompiler {
  private let templates: [ParsedTemplate]
  private let schemes: URLSchemes
  private let builder = TableBuilder()
  private let describer: KindDescriber
  private let linker: ProgramLinker
  let walks: WalkSet

  /// - Parameters:
  ///   - sources: Mustache files.
  ///   - nibs: HTML files with cells in them; their `kind` is the nib's name.
  ///   - files: what images that nibs embed are read from.
  ///   - schemes: what links may carry; the archive holds them.
  /// - Throws: all errors of all templates, the warnings with them.
  /// - Returns: the archive, and the warnings.
  package static func compile(
    _ sources: [TemplateSource], nibs: [TemplateSource] = [], files: NibFiles = .none,
    schemes: URLSchemes = .standard
  ) throws(TemplateErrors) -> (archive: CellArchive, warnings: [Diagnostic]) {
    let nibs = nibs.map(Nib.init)
    var diagnostics = nibs.flatMap(\.diagnostics)
    let unique = uniqueKinds(sources + nibs.flatMap(\.cells), &diagnostics)
    let templates = parse(unique, files: files, schemes: schemes)
    for template in templates { diagnostics += template.diagnostics }
    let compiler = TemplateCompiler(templates, nibs, schemes)
    diagnostics += compiler.checkCalls()
    compiler.walks.walkAll()
    diagnostics += compiler.walks.diagnostics
    if diagnostics.contains(where: { $0.severity == .error }) { throw TemplateErrors(diagnostics) }
    let archive = CellArchive(trusted: compiler.tables())
    diagnostics += compiler.warnings()
    return (archive, diagnostics.sorted(by: Diagnostic.precedes))
  }

  static func parse(_ sources: [TemplateSource], files: NibFiles, schemes: URLSchemes) -> [ParsedTemplate] {
    sources.map { source in
      ParsedTemplate(
        source, observer: source.cell == nil ? nil : NibElements(source, schemes: schemes, files: files))
    }
  }

  init(_ templates: [ParsedTemplate], _ nibs: [Nib], _ schemes: URLSchemes) {
    self.templates = templates
    describer = KindDescriber(nibs, builder: builder)
    self.schemes = schemes
    walks = WalkSet(templates, schemes: schemes)
    linker = ProgramLinker(kinds: templates.map(\.source.kind))
  }

  /// The sources by kind; a kind that comes twice is reported at the later place.
  static func uniqueKinds(_ sources: [TemplateSource], _ diagnostics: inout [Diagnostic]) -> [TemplateSource]
  {
    var first: [String: TemplateSource] = [:]
    for source in sources.sorted(by: precedes) {
      if !KindName.isValid(source.kind) {
        diagnostics.append(
          Diagnostic(
            .invalidKind, file: source.file, line: 1, column: 1, message: "\"\(source.kind)\" is no kind",
            hint: "name files and folders by letters, digits, '.', '_' and '-'"))
      } else if let earlier = first[source.kind] {
        let place = earlier.position(of: earlier.definition)
        diagnostics.append(
          Diagnostic(
            .duplicateKind, in: source, at: source.definition,
            "the kind \"\(source.kind)\" is defined already at \(earlier.file):\(place.line):\(place.column)",
            hint: "rename one of the two"))
      } else {
        first[source.kind] = source
      }
    }
    return first.values.sorted { Array($0.kind.utf8).lexicographicallyPrecedes(Array($1.kind.utf8)) }
  }

  private static func precedes(_ left: TemplateSource, _ right: TemplateSource) -> Bool {
    if left.file == right.file { return left.definition < right.definition }
    return Array(left.file.utf8).lexicographicallyPrecedes(Array(right.file.utf8))
  }

  private func checkCalls() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for template in templates {
      for call in template.calls {
        guard let index = linker.template(ofKind: call.kind) else {
          diagnostics.append(
            Diagnostic(
              .unknownPartial, in: template.source, at: call.at,
              "no cell of kind \"\(call.kind)\" exists; this prints nothing",
              hint: "mend the name, or add the cell"))
          continue
        }
        if template.source.mode == .html, templates[index].source.mode == .text {
          diagnostics.append(
            Diagnostic(
              .textInHTML, in: template.source, at: call.at,
              "the text cell \"\(call.kind)\" cannot stand in an HTML cell",
              hint: "call an HTML cell: rename its file to end in .mustache alone"))
        }
      }
    }
    return diagnostics
  }

  // MARK: Programs

  /// What is odd about the templates whose programs are written.
  func warnings() -> [Diagnostic] {
    templates.enumerated().flatMap { number, template in describer.warnings(of: template, number: number) }
  }

  func tables() -> ArchiveTables {
    for index in templates.indices {
      _ = linker.program(ProgramLinker.Key(template: index, marksLines: false))
    }
    writeQueued()
    let needsAllIndented = builder.tables.calls.contains { $0.dynamicPath != noIndex && $0.isIndented == 1 }
    if needsAllIndented {
      // A dynamic name may find any kind.
      for index in templates.indices {
        _ = linker.program(ProgramLinker.Key(template: index, marksLines: true))
      }
      writeQueued()
    }
    let calls = builder.tables.programs.map(calledPrograms)
    for index in templates.indices { addKind(index, calls: calls) }
    builder.tables.schemes = schemes.names.map(builder.literal)
    return builder.tables
  }

  private func writeQueued() {
    while let key = linker.next() {
      let template = templates[key.template]
      let tree = walks.tree(WalkKey(template: key.template, context: key.context))
      let program = ProgramWriter.write(template, tree, key: key, into: builder, linker: linker)
      builder.tables.programs.append(program.entry)
      describer.note(program.parts, program.partials, of: key.template)
    }
  }

  /// The programs that a program's steps call by static names, in order of appearance.
  private func calledPrograms(_ program: ProgramEntry) -> [UInt32] {
    builder.tables.ops[Int(program.opStart)..<Int(program.opStart + program.opCount)].compactMap { op in
      guard op.code == OpCode.call.rawValue || op.code == OpCode.parent.rawValue else { return nil }
      let callee = builder.tables.calls[Int(op.a)].program
      return callee == noIndex ? nil : callee
    }
  }

  private func addKind(_ index: Int, calls: [[UInt32]]) {
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
    entry.version = version(reached)
    builder.tables.kinds.append(entry)
  }

  /// Who read the elements of a template, if it is a cell of a nib.
  private func elements(of index: Int) -> NibElements? { templates[index].observer as? NibElements }

  /// Programs of one kind that have hint slots in its cells; what lies further down is found without.
  private static let linkLimit = 256

  /// The program itself first, then what it calls, nearest first: where a cell's hint slots lie, in this
  /// order.
  private func reachablePrograms(from program: UInt32, calls: [[UInt32]]) -> [UInt32] {
    var reached = [program]
    var seen: Set<UInt32> = [program]
    var next = 0
    while next < reached.count, reached.count < Self.linkLimit {
      for callee in calls[Int(reached[next])] where seen.insert(callee).inserted { reached.append(callee) }
      next += 1
    }
    return reached
  }

  /// A kind's version: it changes with its template's text, with that of every template it calls by name, and
  /// with the schemes that links may carry.
  private func version(_ reached: [UInt32]) -> ContentHash {
    var text: [UInt8] = []
    var seen: Set<UInt32> = []
    for program in reached {
      let kind = builder.tables.programs[Int(program)].kind
      guard seen.insert(kind).inserted else { continue }
      let source = templates[Int(kind)].source
      text += Array(source.kind.utf8) + [0, source.mode == .text ? 1 : 0]
      text += Array(String(source.content.count).utf8) + [0]
      text += source.bytes[source.content]
      for image in elements(of: Int(kind))?.images.sorted(by: { $0.key < $1.key }) ?? [] {
        text += image.value
      }
    }
    for scheme in schemes.names { text += Array(scheme.utf8) + [0] }
    return ContentHash(of: text)
  }
}
