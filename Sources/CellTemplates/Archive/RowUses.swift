/// What a kind reads of its row, by its own operations or those of any program it may call.
///
/// Where it is not certain what is read, as much as possible is: no row is refused that a template may be
/// meant for. Its members are inlinable, because each row without a plan is asked about.
package struct RowUses: OptionSet, Sendable {
  package let rawValue: UInt8

  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Names that the row, as an object, may have.
  @inlinable package static var members: RowUses { RowUses(rawValue: 1) }
  /// The row itself: `.`
  @inlinable package static var itself: RowUses { RowUses(rawValue: 2) }
  /// Elements of the row, as a list: `{{0}}`.
  @inlinable package static var elements: RowUses { RowUses(rawValue: 4) }
  /// Anything: it calls a cell that the data names.
  @inlinable package static var anything: RowUses { RowUses(rawValue: 8) }
  /// A name `data`, wherever it is looked up.
  @inlinable package static var data: RowUses { RowUses(rawValue: 16) }
  /// A name `rows`, wherever it is looked up.
  @inlinable package static var rows: RowUses { RowUses(rawValue: 32) }

  /// The locale: it has formats, plurals, or `@locale`.
  @inlinable package static var locale: RowUses { RowUses(rawValue: 64) }
  /// The time: it has dates relative to now.
  @inlinable package static var now: RowUses { RowUses(rawValue: 128) }

  /// Unlike `contains` of a literal, it allocates nothing in a debug build: each row asks.
  @inlinable package func has(_ use: RowUses) -> Bool { rawValue & use.rawValue != 0 }

  /// Whether a list can be a row.
  @inlinable package var takeList: Bool {
    !has(.members) || has(.itself) || has(.elements) || has(.anything)
  }

  /// Whether a value that is no object and no list can be a row.
  @inlinable package var takeScalar: Bool { !has(.members) || has(.itself) || has(.anything) }

  /// Whether an item in place of a row is a mistake, because nothing would read its data.
  @inlinable package var refuseItem: Bool { !has(.data) && !has(.anything) }

  /// Whether an object with rows in place of a row is an envelope.
  @inlinable package var takeEnvelope: Bool { !has(.rows) && !has(.anything) }
}

extension RowUses {
  /// By kind number. Cost: linear in the operations.
  static func ofKinds(of tables: ArchiveTables) -> [RowUses] {
    var scan = RowUseScan(tables)
    let programs = scan.usesOfPrograms()
    let uses = tables.kinds.map { programs[Int($0.program)] }
    // A cell that the data names may be any.
    let all = uses.reduce(RowUses()) { $0.union($1.intersection([.locale, .now])) }
    return uses.map { $0.has(.anything) ? $0.union(all) : $0 }
  }
}

/// Scans the operations of an archive for what they read of a row.
private struct RowUseScan {
  private let tables: ArchiveTables
  /// By program.
  private var uses: [RowUses]
  /// The programs that call a program, and whether they do so where `.` is their own row.
  private var callers: [[(program: UInt32, isOfRow: Bool)]]

  init(_ tables: ArchiveTables) {
    self.tables = tables
    uses = Array(repeating: [], count: tables.programs.count)
    callers = Array(repeating: [], count: tables.programs.count)
  }

  mutating func usesOfPrograms() -> [RowUses] {
    for number in tables.programs.indices { scan(number) }
    // A program is looked at again only if it uses more: at most once for each of the few uses.
    var waiting = Array(uses.indices.filter { !uses[$0].isEmpty })
    while let number = waiting.popLast() {
      for caller in callers[number] {
        let reached = caller.isOfRow ? uses[number] : uses[number].subtracting(.itself)
        if uses[Int(caller.program)].isSuperset(of: reached) { continue }
        uses[Int(caller.program)].formUnion(reached)
        waiting.append(Int(caller.program))
      }
    }
    return uses
  }

  private mutating func scan(_ number: Int) {
    let program = tables.programs[number]
    // The sections and outlets around an operation. In an override, those around its block are not counted.
    var depth = 0
    for op in tables.ops[Int(program.opStart)..<Int(program.opStart + program.opCount)] {
      guard let code = OpCode(rawValue: op.code) else { continue }
      switch code {
      case .value, .bound, .boundBeside:
        read(op.a, in: number, isOfRow: depth == 0)
        read(format: op.valueFormat, in: number)
      case .inverted, .truthy:
        read(op.a, in: number, isOfRow: depth == 0)
      case .section:
        read(op.a, in: number, isOfRow: depth == 0)
        depth += 1
      case .outlet:
        read(tables.outlets[Int(op.a)].path, in: number, isOfRow: depth == 0)
        read(format: tables.outlets[Int(op.a)].format, in: number)
        depth += 1
      case .condition, .conditionBeside, .plural:
        let condition = tables.conditions[Int(op.a)]
        if condition.comparison == ConditionEntry.Comparison.plural.rawValue { uses[number].insert(.locale) }
        read(condition.path, in: number, isOfRow: depth == 0)
        let literals = Int(condition.literalStart)..<Int(condition.literalStart + condition.literalCount)
        for literal in tables.conditionLiterals[literals] where literal.path != noIndex {
          read(literal.path, in: number, isOfRow: depth == 0)
        }
      case .sectionEnd, .outletEnd:
        depth -= 1
      case .call, .include, .parent:
        let call = tables.calls[Int(op.a)]
        if call.dynamicPath != noIndex {
          uses[number].insert(.anything)
        } else if call.program != noIndex {
          callers[Int(call.program)].append((UInt32(number), depth == 0))
        }
      case .bind, .presence:
        let path = tables.binds[Int(op.a)].path
        if path != noIndex { read(path, in: number, isOfRow: depth == 0) }
        read(format: tables.binds[Int(op.a)].format, in: number)
      case .outletContent:
        // It reads the value of the outlet around it.
        break
      case .machine: read(format: op.b, in: number)
      case .listWords: read(format: op.a, in: number)
      case .literal, .block, .bodyEnd, .lineStart, .end, .blind, .listItem, .listBreak, .listEnd:
        break
      }
    }
  }

  private mutating func read(_ position: UInt32, in number: Int, isOfRow: Bool) {
    let path = tables.paths[Int(position)]
    guard let root = PathEntry.Root(rawValue: path.root), !root.isOfLoop else { return }
    switch root {
    case .item:
      if isOfRow { uses[number].insert(.itself) }
    case .row:
      // The row that a cell was given may be that of any cell around.
      uses[number].insert(path.segmentCount == 0 ? .itself : .members)
      if path.segmentCount > 0 { noteName(tables.segments[Int(path.segmentStart)], in: number) }
    case .name:
      // The request's.
      if path.name == RequestName.owner { return }
      uses[number].insert(.members)
      noteName(path.name, in: number)
    case .locale, .direction: uses[number].insert(.locale)
    default: break
    }
  }

  private mutating func read(format: UInt32, in number: Int) {
    if format == noIndex { return }
    uses[number].insert(.locale)
    let entry = tables.formats[Int(format)]
    let first = Int(entry.variantStart)
    let formats =
      [entry]
      + tables.formatVariants[first..<first + Int(entry.variantCount)].map { tables.formats[Int($0.format)] }
    for format in formats {
      if format.kind == FormatKind.relative.rawValue { uses[number].insert(.now) }
      if format.currencyPath != noIndex { read(format.currencyPath, in: number, isOfRow: false) }
    }
  }

  private mutating func noteName(_ name: UInt32, in number: Int) {
    if name == RequestName.data { uses[number].insert(.data) }
    if name == RequestName.rows { uses[number].insert(.rows) }
    if tables.names[Int(name)].listIndex != noIndex { uses[number].insert(.elements) }
  }
}
