import CellTemplates

/// The outlets of a kind that are not inside another outlet, in groups of the same name. Derived from the archive alone.
///
/// A kind may have more than 100,000, so they are collected in pieces, and nothing is allocated for each.
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
  /// nil as soon as all are collected.
  private var collecting: Collecting?

  /// What is known while the outlets are collected, and is not needed afterwards.
  private struct Collecting {
    enum Stage {
      /// Finds sections and groups. A part comes after the part that contains it.
      case grouping
      /// Puts the outlets into their groups: first those filled by the row itself, then the others.
      case placing(isTopLevel: Bool)
    }

    var stage = Stage.grouping
    /// Where the stage goes on.
    var next = 0
    /// The group of each part; `noIndex` if it has none.
    var groups: [UInt32] = []
    var isInOutlet: [Bool] = []
    /// The groups by path. It never grows: to hash all names anew would take long.
    var groupOfPath: [UInt32: UInt32]
    /// The number of parts in each group; while they are placed, where the next one of the group goes.
    var counts: [UInt32] = []

    init(partCount: Int) {
      groupOfPath = Dictionary(minimumCapacity: partCount)
      groups.reserveCapacity(partCount)
      isInOutlet.reserveCapacity(partCount)
    }

    var heldBytes: Int {
      groups.capacity * 4 + isInOutlet.capacity + groupOfPath.capacity * 11 + counts.capacity * 4
    }
  }

  /// Whether all outlets are collected. The members below may be asked for only then.
  var isComplete: Bool { collecting == nil }
  var groupCount: Int { starts.count - 1 }
  /// Memory in bytes.
  var heldBytes: Int {
    (members.capacity + starts.capacity + sectionAround.capacity) * MemoryLayout<UInt32>.stride
      + (collecting?.heldBytes ?? 0)
  }

  /// Knows no outlets yet.
  init(of kind: UInt32, in archive: CellArchive) {
    self.archive = archive
    tables = RenderTables(archive)
    conditions = Conditions(archive)
    parts = archive.tables.$parts
    let entry = archive.entry(ofKind: kind)
    partStart = Int(entry.partStart)
    partCount = Int(entry.partCount)
    sectionAround.reserveCapacity(partCount)
    collecting = partCount == 0 ? nil : Collecting(partCount: partCount)
  }

  /// Goes on to collect the outlets, with as many parts as take as long as to print `bytes`.
  func collect(bytes: Int) {
    guard var state = collecting.take() else { return }
    let end = min(state.next + max(bytes / Self.bytesPerPart, 1), partCount)
    for number in state.next..<end {
      switch state.stage {
      case .grouping: group(number, &state)
      case .placing(let isTopLevel): place(number, isTopLevel, &state)
      }
    }
    state.next = end
    if end < partCount {
      collecting = state
      return
    }
    state.next = 0
    switch state.stage {
    case .grouping:
      starts.reserveCapacity(state.counts.count + 1)
      for (group, count) in state.counts.enumerated() {
        state.counts[group] = starts[group]
        starts.append(starts[group] + count)
      }
      members = Array(repeating: 0, count: Int(starts[groupCount]))
      state.stage = .placing(isTopLevel: true)
      collecting = state
    case .placing(isTopLevel: true):
      state.stage = .placing(isTopLevel: false)
      collecting = state
    case .placing(isTopLevel: false): break
    }
  }

  private func group(_ number: Int, _ state: inout Collecting) {
    let part = part(number)
    let parent = part.parent == noIndex ? nil : Int(part.parent)
    if let parent, [.section, .inverted, .condition, .plural].contains(self.part(parent).knownRole) {
      sectionAround.append(part.parent)
    } else {
      sectionAround.append(parent.map { sectionAround[$0] } ?? noIndex)
    }
    let isOutlet = part.knownRole == .outlet || part.knownRole == .taggedOutlet
    let isNested = parent.map { state.isInOutlet[$0] } ?? false
    state.isInOutlet.append(isOutlet || isNested)
    guard isOutlet, !isNested else {
      state.groups.append(noIndex)
      return
    }
    let path = tables.outlets[Int(part.entry)].path
    let group = state.groupOfPath[path] ?? UInt32(state.counts.count)
    if Int(group) == state.counts.count {
      state.groupOfPath[path] = group
      state.counts.append(0)
    }
    state.counts[Int(group)] += 1
    state.groups.append(group)
  }

  private func place(_ number: Int, _ isTopLevel: Bool, _ state: inout Collecting) {
    let group = state.groups[number]
    guard group != noIndex, (part(number).isTopLevel == 1) == isTopLevel else { return }
    members[Int(state.counts[Int(group)])] = UInt32(number)
    state.counts[Int(group)] += 1
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

  /// The outlets of a kind of the archive, which must be the same each time. They may not be collected yet.
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
