/// The names of each kind's actions, in template order, each once. Rows list them, so they are collected once.
struct ActionLists: Sendable {
  /// By kind; only kinds with actions are in it.
  private let names: [UInt32: [LiteralRef]]

  init(_ tables: ArchiveTables) {
    var names: [UInt32: [LiteralRef]] = [:]
    for (number, kind) in tables.kinds.enumerated() {
      var seen: Set<ArraySlice<UInt8>> = []
      for part in tables.parts[Int(kind.partStart)..<Int(kind.partStart) + Int(kind.partCount)]
      where part.knownRole == .action {
        let name = tables.literals[Int(part.name.offset)..<Int(part.name.offset) + Int(part.name.count)]
        if seen.insert(name).inserted { names[UInt32(number), default: []].append(part.name) }
      }
    }
    self.names = names
  }

  /// The names of a kind's actions.
  func names(of kind: UInt32) -> [LiteralRef] { names[kind] ?? [] }
}
