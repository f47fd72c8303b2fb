import CellTemplates

/// The outlets of a kind that are not inside another outlet. Derived from the archive alone.
final class TopLevelOutlets {
  /// The kind's parts.
  let parts: [PartEntry]
  /// Indexes of parts, grouped by name in template order. In each group, outlets filled by the row itself come first.
  let groups: [[Int]]

  /// Cost: the kind's parts.
  init(of kind: UInt32, in archive: CellArchive) {
    parts = archive.parts(of: archive.kinds[Int(kind)])
    groups = Self.groups(of: parts, in: archive)
  }

  private static func groups(of parts: [PartEntry], in archive: CellArchive) -> [[Int]] {
    var names: [UInt32: Int] = [:]
    var groups: [[Int]] = []
    // A part comes after the part that contains it.
    var isInOutlet: [Bool] = []
    for (index, part) in parts.enumerated() {
      let isOutlet = part.knownRole == .outlet || part.knownRole == .taggedOutlet
      let isNested = part.parent != noIndex && isInOutlet[Int(part.parent)]
      isInOutlet.append(isOutlet || isNested)
      guard isOutlet, !isNested else { continue }
      let path = archive.outlets[Int(part.entry)].path
      if let number = names[path] {
        groups[number].append(index)
      } else {
        names[path] = groups.count
        groups.append([index])
      }
    }
    return groups.map { group in
      group.count == 1
        ? group : group.filter { parts[$0].isTopLevel == 1 } + group.filter { parts[$0].isTopLevel == 0 }
    }
  }

  /// The sections and conditions around an outlet, outermost first.
  func sections(around index: Int) -> [PartEntry] {
    var sections: [PartEntry] = []
    var parent = parts[index].parent
    while parent != noIndex {
      let part = parts[Int(parent)]
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
    partCount += outlets.parts.count + 1
    if partCount > Self.partsLimit {
      kinds.removeAll()
      partCount = outlets.parts.count + 1
    }
    kinds[kind] = outlets
    return outlets
  }
}
