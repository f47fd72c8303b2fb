import CellTemplates

/// The outlets of a kind that are not inside another outlet, in groups of the same name. Derived from the archive alone.
///
/// A kind may have more than 100,000, which are grouped in one turn of the loop: so nothing is allocated for each.
final class TopLevelOutlets {
  /// Held for its tables.
  private let archive: CellArchive
  let tables: RenderTables
  let conditions: Conditions
  private let parts: FrozenArray<PartEntry>
  /// Of the kind's parts in the archive's table.
  private let partStart: Int
  let partCount: Int
  /// The numbers of parts by group. In each group, outlets filled by the row itself come first.
  private var members: [UInt32] = []
  /// Where each group starts in `members`, in template order; at the end, its count.
  private var starts: [UInt32] = [0]

  var groupCount: Int { starts.count - 1 }

  /// Cost: the kind's parts.
  init(of kind: UInt32, in archive: CellArchive) {
    self.archive = archive
    tables = RenderTables(archive)
    conditions = Conditions(archive)
    parts = archive.tables.$parts
    let entry = archive.entry(ofKind: kind)
    partStart = Int(entry.partStart)
    partCount = Int(entry.partCount)
    let groups = numberGroups()
    for count in groups.counts { starts.append(starts[starts.count - 1] + count) }
    members = Array(repeating: 0, count: Int(starts[starts.count - 1]))
    var next = starts
    for isTopLevel in [true, false] {
      for (number, group) in groups.ofParts.enumerated()
      where group != noIndex && (part(number).isTopLevel == 1) == isTopLevel {
        members[Int(next[Int(group)])] = UInt32(number)
        next[Int(group)] += 1
      }
    }
  }

  /// The group of each part, `noIndex` if it has none, and the number of parts in each group.
  private func numberGroups() -> (ofParts: [UInt32], counts: [UInt32]) {
    var ofParts = [UInt32](repeating: noIndex, count: partCount)
    var counts: [UInt32] = []
    var names: [UInt32: UInt32] = [:]
    // A part comes after the part that contains it.
    var isInOutlet = [Bool](repeating: false, count: partCount)
    for number in 0..<partCount {
      let part = part(number)
      let isOutlet = part.knownRole == .outlet || part.knownRole == .taggedOutlet
      let isNested = part.parent != noIndex && isInOutlet[Int(part.parent)]
      isInOutlet[number] = isOutlet || isNested
      guard isOutlet, !isNested else { continue }
      let path = tables.outlets[Int(part.entry)].path
      if let group = names[path] {
        ofParts[number] = group
        counts[Int(group)] += 1
      } else {
        names[path] = UInt32(counts.count)
        ofParts[number] = UInt32(counts.count)
        counts.append(1)
      }
    }
    return (ofParts, counts)
  }

  private func part(_ number: Int) -> PartEntry { parts[partStart + number] }

  func outletCount(of group: Int) -> Int { Int(starts[group + 1] - starts[group]) }

  /// The number of a group's outlet among the kind's parts.
  private func number(_ index: Int, of group: Int) -> Int { Int(members[Int(starts[group]) + index]) }

  /// The part of a group's outlet.
  func outlet(_ index: Int, of group: Int) -> PartEntry { part(number(index, of: group)) }

  /// The sections and conditions around a group's outlet, outermost first.
  func sections(around index: Int, of group: Int) -> [PartEntry] {
    var sections: [PartEntry] = []
    var parent = outlet(index, of: group).parent
    while parent != noIndex {
      let part = part(Int(parent))
      if [.section, .inverted, .condition, .plural].contains(part.knownRole) { sections.append(part) }
      parent = part.parent
    }
    return sections.reversed()
  }
}

/// The top-level outlets of the kinds that were asked for them last, so that they are not collected for each row.
///
/// Confined to its factory's thread.
struct TopLevelOutletsCache {
  /// The parts of all kinds kept. If there would be more, all kinds are dropped.
  private static let partsLimit = 1 << 16

  private var kinds: [UInt32: TopLevelOutlets] = [:]
  private var partCount = 0

  /// The outlets of a kind of the archive, which must be the same each time.
  mutating func outlets(of kind: UInt32, in archive: CellArchive) -> TopLevelOutlets {
    if let known = kinds[kind] { return known }
    let outlets = TopLevelOutlets(of: kind, in: archive)
    partCount += outlets.partCount + 1
    if partCount > Self.partsLimit {
      kinds.removeAll()
      partCount = outlets.partCount + 1
    }
    kinds[kind] = outlets
    return outlets
  }
}
