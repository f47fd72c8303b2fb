package import CellTemplates

/// An archive together with everything made from it: names, pool and plans. None of it works with another
/// archive, in which kinds and names have other numbers.
///
/// Confined to its factory's thread. Requests answered in slices retain the edition they began with, so the
/// last of them frees it after the factory has adopted another.
final class Edition {
  let archive: CellArchive
  /// The archive's, found once for all cells.
  let tables: RenderTables
  let conditions: Conditions
  let archiveHash: String
  /// The names that the archive's templates look up.
  let names: JSONNames
  /// The plans recorded for each kind.
  let shelf: PlanShelf
  /// The formats for each locale.
  let formats: FormatShelf
  // Unchecked, because every cell is taken from it and given back: only the factory's methods use it, one at a
  // time, and no access calls other code.
  @exclusivity(unchecked) var pool: CellPool
  // Used once for each row with outlets: a checked access costs little there.
  var topLevelOutlets = TopLevelOutletsCache()
  private let reads = ReadShelf()
  private let retired: RetiredShelves
  private let tally: FactoryTally

  /// - Parameters:
  ///   - names: the archive's names; shared by the factories of a server.
  ///   - tally: the factory's counts.
  ///   - retired: where the factory keeps what takes long to free.
  init(
    _ archive: CellArchive, names: JSONNames, reuse: ReusePolicy, tally: FactoryTally, retired: RetiredShelves
  ) {
    self.archive = archive
    self.names = names
    self.retired = retired
    tables = RenderTables(archive)
    conditions = Conditions(archive)
    archiveHash = archive.hash
    self.tally = tally
    formats = FormatShelf(archive)
    shelf = PlanShelf(kindCount: archive.kindCount, tally: tally)
    pool = CellPool(kindCount: archive.kindCount, policy: reuse, tally: tally)
  }

  deinit { retired.add(reads) }

  /// What a kind reads of its rows.
  func readStates(of kind: UInt32) -> ReadStates { reads.states(of: kind, in: archive, names: names) }
}

extension JSONNames {
  /// The names of an archive. An id is the name's number in the archive.
  package convenience init(of archive: CellArchive) {
    let names = archive.tables.$names
    self.init((0..<names.count).map { Array(archive.bytes(names[$0].text)) })
  }
}
