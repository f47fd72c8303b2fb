import CFormats

/// The locales that an archive's kinds are offered in, ready to be compared with those that readers want.
package struct LocaleOffers: Sendable {
  /// The offered ones, then those that only nibs are written in.
  private let offers: [cf_offer]
  private let offeredCount: Int
  /// By offer: its index in the archive's pack.
  private let locales: [UInt32]
  /// By row of the archive's table: its offer.
  private let positions: [Int]

  init(_ entries: [LocaleEntry], in pack: LocalePack?) {
    let order =
      entries.indices.filter { entries[$0].isOffered == 1 }
      + entries.indices.filter { entries[$0].isOffered != 1 }
    var positions = [Int](repeating: 0, count: entries.count)
    for (position, row) in order.enumerated() { positions[row] = position }
    self.positions = positions
    offeredCount = entries.count { $0.isOffered == 1 }
    locales = order.map { entries[$0].index }
    offers = pack?.offers(locales) ?? []
  }

  /// The best of the offered locales and the one that a kind is written in.
  /// - Parameters:
  ///   - row: the row of the kind's locale in the archive's table.
  ///   - wanted: the reader's, best first.
  /// - Returns: its index in the pack, and the index of the wanted one; nil if nothing is near enough.
  /// - Cost: some nanoseconds for each offered language and wanted locale.
  package func best(from row: UInt32, wanted: [LocaleTag]) -> (locale: UInt32, wanted: Int)? {
    let tags = wanted.map(\.tag)
    var position = 0
    let found = cf_match(offers, offeredCount, positions[Int(row)], tags, tags.count, &position)
    return found < 0 ? nil : (locales[Int(found)], position)
  }
}
