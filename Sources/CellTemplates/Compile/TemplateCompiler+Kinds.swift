/// The rows of kinds: the programs they reach, their versions and descriptions.
extension TemplateCompiler {
  /// The programs that a program calls by static names, in order of first appearance; at most `linkLimit`.
  func calledPrograms(_ program: ProgramEntry) -> [UInt32] {
    budget.spend(Int(program.opCount))
    var called = UniqueList<UInt32>()
    for op in builder.tables.ops[Int(program.opStart)..<Int(program.opStart + program.opCount)]
    where [OpCode.call.rawValue, OpCode.parent.rawValue, OpCode.include.rawValue].contains(op.code) {
      let callee = builder.tables.calls[Int(op.a)].program
      if callee != noIndex { called.add(callee) }
      if called.count == Self.linkLimit { break }
    }
    return called.elements
  }

  func addKind(_ index: Int, calls: [[UInt32]], hashes: [ContentHash]) {
    let template = templates[index]
    let program = linker.program(ProgramLinker.Key(template: index, marksLines: false))
    let indented = linker.existingProgram(ProgramLinker.Key(template: index, marksLines: true)) ?? noIndex
    var entry = KindEntry(
      name: builder.literal(template.source.kind), isText: template.source.mode == .text ? 1 : 0,
      program: program,
      indentedProgram: indented, linkStart: UInt32(builder.tables.links.count), linkCount: 0, slotCount: 0,
      nameStart: 0, nameCount: 0, partialStart: 0, partialCount: 0, nib: noIndex, order: noIndex,
      classStart: 0,
      classCount: 0, locale: noIndex, partStart: 0, partCount: 0, versionHighHigh: 0, versionHighLow: 0,
      versionLowHigh: 0,
      versionLowLow: 0)
    budget.file = template.source.file
    let reached = reachablePrograms(from: program, calls: calls)
    budget.keep(pieces: reached.count / LoadBudget.linksPerPiece)
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
  func elements(of index: Int) -> NibElements? { templates[index].observer as? NibElements }

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
  /// with the allowed URL schemes, the declared custom elements and the named formats.
  private func version(_ reached: [UInt32], _ hashes: [ContentHash]) -> ContentHash {
    var text: [UInt8] = []
    var seen: Set<UInt32> = []
    for program in reached {
      let kind = builder.tables.programs[Int(program)].kind
      if seen.insert(kind).inserted { text += Array(hashes[Int(kind)].hex.utf8) }
    }
    for scheme in settings.schemes.names { text += Array(scheme.utf8) + [0] }
    text += declarationsHash
    return ContentHash(of: text)
  }

  /// The hash of a template's own text and images. Computed once for each, because many kinds may call one
  /// large template.
  func contentHash(of index: Int) -> ContentHash {
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
}
