import CellTemplates

/// The outlets of a kind that are not inside another outlet, in groups of the same name. Derived from the archive alone.
///
/// A kind may have more than 100,000, which are grouped in one turn of the loop: so nothing is allocated for each.
final class TopLevelOutlets {
  /// To collect a part takes as long as to print so many bytes.
  static let bytesPerPart = 64

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
  /// The innermost section or condition around each part; `noIndex` if there is none.
  private var sectionAround: [UInt32] = []

  var groupCount: Int { starts.count - 1 }
  /// Memory in bytes.
  var heldBytes: Int {
    (members.capacity + starts.capacity + sectionAround.capacity) * MemoryLayout<UInt32>.stride
  }

  /// Cost: the kind's parts.
  init(of kind: UInt32, in archive: CellArchive) {
    self.archive = archive
    tables = RenderTables(archive)
    conditions = Conditions(archive)
    parts = archive.tables.$parts
    let entry = archive.entry(ofKind: kind)
    partStart = Int(entry.partStart)
    partCount = Int(entry.partCount)
    findSections()
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

  /// A part comes after the part that contains it.
  private func findSections() {
    sectionAround.reserveCapacity(partCount)
    for number in 0..<partCount {
      let parent = part(number).parent
      if parent == noIndex {
        sectionAround.append(noIndex)
      } else if [.section, .inverted, .condition, .plural].contains(part(Int(parent)).knownRole) {
        sectionAround.append(parent)
      } else {
        sectionAround.append(sectionAround[Int(parent)])
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

  /// The part of a section or condition.
  func section(_ number: UInt32) -> PartEntry { part(Int(number)) }

  /// The part of a group's outlet.
  func outlet(_ index: Int, of group: Int) -> PartEntry { part(number(index, of: group)) }

  /// Puts the numbers of the sections and conditions around a group's outlet into `sections`, outermost first.
  func findSections(around index: Int, of group: Int, _ sections: inout [UInt32]) {
    sections.removeAll(keepingCapacity: true)
    var next = sectionAround[number(index, of: group)]
    while next != noIndex {
      sections.append(next)
      next = sectionAround[Int(next)]
    }
    sections.reverse()
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

  /// The outlets of a kind of the archive, which must be the same each time, and whether they were collected now.
  mutating func outlets(
    of kind: UInt32, in archive: CellArchive
  ) -> (outlets: TopLevelOutlets, isCollected: Bool) {
    if let known = kinds[kind] { return (known, false) }
    let outlets = TopLevelOutlets(of: kind, in: archive)
    partCount += outlets.partCount + 1
    if partCount > Self.partsLimit {
      kinds.removeAll()
      partCount = outlets.partCount + 1
    }
    kinds[kind] = outlets
    return (outlets, true)
  }
}
