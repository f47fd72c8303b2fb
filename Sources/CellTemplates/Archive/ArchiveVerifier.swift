/// Verifies that tables can be run without runtime checks: every reference is inside its table, every jump
/// leads to the end of its construct, and everything opened is closed.
///
/// The cost is linear in the size of the tables.
struct ArchiveVerifier {
  let tables: ArchiveTables
  private let budget: LoadBudget

  init(_ tables: ArchiveTables, budget: LoadBudget = LoadBudget()) {
    self.tables = tables
    self.budget = budget
  }

  /// Runs the checks that the tables declare.
  func verify() throws(ArchiveError) {
    let all = tables.all
    for table in all {
      if case .checked(let method) = table.check { try method(self)() }
    }
    for table in all {
      if case .checkedLast(let method) = table.check { try method(self)() }
    }
  }

  func spend(_ entries: Int) throws(ArchiveError) {
    if !budget.spend(10 * entries), let fault = budget.fault {
      throw .loadLimit(fault.message, hint: fault.hint)
    }
  }

  func check(_ holds: Bool, _ what: @autoclosure () -> String) throws(ArchiveError) {
    if !holds { throw .inconsistent(what()) }
  }

  /// Checks a text that documents about the archive have in them.
  func checkText(_ ref: LiteralRef, _ what: String) throws(ArchiveError) {
    try check(isInside(ref), "\(what) is outside the literals")
    try spend(Int(ref.count) / 16)
    let text = tables.literals[Int(ref.offset)..<Int(ref.offset) + Int(ref.count)]
    try check(String(validating: text, as: UTF8.self) != nil, "\(what) is not UTF-8")
  }

  func isInside(_ ref: LiteralRef) -> Bool {
    UInt64(ref.offset) + UInt64(ref.count) <= UInt64(tables.literals.count)
  }

  func isRun(_ start: UInt32, _ count: UInt32, of size: Int) -> Bool {
    UInt64(start) + UInt64(count) <= UInt64(size)
  }

  func bytes(_ ref: LiteralRef) -> [UInt8] {
    Array(tables.literals[Int(ref.offset)..<Int(ref.offset) + Int(ref.count)])
  }

  func verifyNames() throws(ArchiveError) {
    try spend(tables.names.count)
    for name in tables.names { try check(isInside(name.text), "a name is outside its text") }
    try check(tables.names.count >= RequestName.all.count, "the reserved names are missing")
    for (id, name) in RequestName.all.enumerated() {
      try check(bytes(tables.names[id].text) == Array(name.utf8), "the name \(name) is not in its place")
    }
    var seen: Set<[UInt8]> = []
    var length: UInt64 = 0
    for name in tables.names {
      // Names must not share text, so that overlapping names cannot exhaust the memory.
      length += UInt64(name.text.count)
      try check(length <= UInt64(tables.literals.count), "the names are longer than their texts")
      try checkText(name.text, "a name")
      try check(seen.insert(bytes(name.text)).inserted, "a name exists twice")
    }
  }

  func verifyTexts() throws(ArchiveError) {
    for text in tables.texts { try checkText(text, "a text") }
  }

  func verifySegments() throws(ArchiveError) {
    for segment in tables.segments {
      try check(segment < tables.names.count, "a path has an unknown name")
    }
  }

  func verifyPaths() throws(ArchiveError) {
    try spend(tables.paths.count)
    for path in tables.paths {
      try check(PathEntry.Root(rawValue: path.root) != nil, "a path has an unknown root")
      try check(
        path.root != PathEntry.Root.name.rawValue || path.name < tables.names.count,
        "a path has an unknown name")
      try check(
        isRun(path.segmentStart, path.segmentCount, of: tables.segments.count), "a path has no segments")
      try checkText(path.text, "a path's text")
    }
  }

  func verifyCalls() throws(ArchiveError) {
    try spend(tables.calls.count)
    var overrides: UInt64 = 0
    for call in tables.calls {
      overrides += UInt64(call.overrideCount)
      try check(overrides <= UInt64(tables.overrides.count), "calls share overrides")
      try check(
        call.program == noIndex || call.program < tables.programs.count, "a call has an unknown program")
      try check(
        call.dynamicPath == noIndex || call.dynamicPath < tables.paths.count, "a call has an unknown path")
      try check((call.program == noIndex) != (call.dynamicPath == noIndex), "a call has no target")
      try check(isInside(call.indentation), "a call's indentation is outside the literals")
      try check(
        isRun(call.overrideStart, call.overrideCount, of: tables.overrides.count), "a call has no overrides")
      try check(call.isIndented <= 1 && call.isHTML <= 1, "a call has unknown marks")
    }
  }

  func verifyOverrides() throws(ArchiveError) {
    for override in tables.overrides {
      try check(override.blockName < tables.names.count, "an override has an unknown name")
      try check(override.startsLine <= 1, "an override has unknown marks")
    }
  }

  func verifyBlocks() throws(ArchiveError) {
    for block in tables.blocks {
      try check(block.name < tables.names.count, "a block has an unknown name")
      try check(isInside(block.indentation) && block.opensLine <= 1, "a block has unknown marks")
    }
  }
}
