package import CellTemplates

/// What a factory has of one archive: the archive, and all that was made from it or learnt of it. None of it is good for
/// another archive, whose kinds and names have other numbers.
///
/// Confined to its factory's thread. Requests that are answered in slices hold the one they began with; so the last of
/// them to end frees it, archive and all, once the factory has adopted another.
final class Edition {
  let archive: CellArchive
  let archiveHash: String
  /// The names that the archive's templates look up.
  let names: JSONNames
  /// What has been learnt of the rows of each kind.
  let shelf: PlanShelf
  // The factory's own methods alone use it, and none calls another.
  @exclusivity(unchecked) var pool: CellPool
  private let tally: FactoryTally

  /// - Parameters:
  ///   - names: the archive's; shared by the factories of a server.
  ///   - tally: the factory's.
  init(_ archive: CellArchive, names: JSONNames, reuse: ReusePolicy, tally: FactoryTally) {
    self.archive = archive
    self.names = names
    archiveHash = archive.hash
    self.tally = tally
    shelf = PlanShelf(kindCount: archive.kinds.count, tally: tally)
    pool = CellPool(kindCount: archive.kinds.count, policy: reuse, tally: tally)
  }

  deinit { tally.reuse.held -= pool.held }
}

extension JSONNames {
  /// The names of an archive: an id is a name's number there.
  package convenience init(of archive: CellArchive) {
    self.init((0..<archive.names.count).map { Array(archive.bytes(archive.names[$0].text)) })
  }
}
