/// Which kinds may print raw values, by their own operations or those of any program they may call.
///
/// Derived from an archive's operations. Cost: linear in the operations.
struct RawKinds: Sendable {
  /// By kind number.
  private let isRaw: [Bool]
  /// Whether any of them is an HTML kind.
  let holdsHTML: Bool

  init(_ tables: ArchiveTables) {
    let programs = Self.rawPrograms(of: tables)
    isRaw = tables.kinds.map { programs[Int($0.program)] }
    holdsHTML = zip(tables.kinds, isRaw).contains { $0.isText == 0 && $1 }
  }

  subscript(kind: UInt32) -> Bool { isRaw[Int(kind)] }

  private static func rawPrograms(of tables: ArchiveTables) -> [Bool] {
    var isRaw = [Bool](repeating: false, count: tables.programs.count)
    var callers = [[UInt32]](repeating: [], count: tables.programs.count)
    // Programs that call by a name from the data, which may be any HTML kind.
    var callersOfAny: [UInt32] = []
    for (number, program) in tables.programs.enumerated() {
      for op in tables.ops[Int(program.opStart)..<Int(program.opStart + program.opCount)] {
        switch OpCode(rawValue: op.code) {
        case .value: if isRawEscaper(op.b & 0xFF) { isRaw[number] = true }
        case .outletContent: if isRawEscaper(tables.outlets[Int(op.a)].escaper) { isRaw[number] = true }
        case .call, .include, .parent:
          let call = tables.calls[Int(op.a)]
          if call.program != noIndex { callers[Int(call.program)].append(UInt32(number)) }
          if call.dynamicPath != noIndex { callersOfAny.append(UInt32(number)) }
        default: continue
        }
      }
    }
    var found = isRaw.indices.filter { isRaw[$0] }
    var next = 0
    var isAnyRaw = false
    while next < found.count {
      var reached = callers[found[next]]
      if !isAnyRaw, tables.kinds[Int(tables.programs[found[next]].kind)].isText == 0 {
        isAnyRaw = true
        reached += callersOfAny
      }
      for caller in reached where !isRaw[Int(caller)] {
        isRaw[Int(caller)] = true
        found.append(Int(caller))
      }
      next += 1
    }
    return isRaw
  }

  private static func isRawEscaper(_ code: UInt32) -> Bool {
    code == Escaper.rawHTML.rawValue || code == Escaper.none.rawValue
  }
}
