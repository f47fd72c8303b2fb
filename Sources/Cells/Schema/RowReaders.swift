import CellTemplates

/// Which kinds read more of a row than the names in their levels: its owner, or all of it.
struct RowReaders {
  /// Kinds that look up an `owner`, themselves or in a cell that sees their row: Mustache finds it there, and around, before that
  /// of the request.
  private(set) var ofOwner: Set<UInt32> = []
  /// Kinds that print `@row`, themselves or in a cell that sees their row.
  private(set) var ofWholeRow: Set<UInt32> = []
  /// Of each kind, the parents that it calls with an override that looks up an owner.
  private var overrides: [UInt32: Set<UInt32>] = [:]
  /// The parents that each kind calls.
  private var parents: [UInt32: Set<UInt32>] = [:]

  private let archive: CellArchive
  private let budget: LoadBudget?

  /// Cost: linear in the parts of the kinds and of those that they call.
  /// - Parameters:
  ///   - limit: the most kinds that are read, unless these are more.
  ///   - budget: the work that reading may do.
  init(among start: [UInt32], in archive: CellArchive, limit: Int, budget: LoadBudget?) {
    self.archive = archive
    self.budget = budget
    var callers: [UInt32: Set<UInt32>] = [:]
    var (waiting, seen, next) = (start, Set(start), 0)
    while next < waiting.count {
      let kind = waiting[next]
      next += 1
      let parts = archive.parts(of: archive.entry(ofKind: kind))
      for part in parts where budget?.spend() != false {
        if looksUpOwner(part) { ofOwner.insert(kind) }
        if printsRow(part) { ofWholeRow.insert(kind) }
        guard let callee = archive.callee(of: part) else { continue }
        if waiting.count < limit, seen.insert(callee).inserted { waiting.append(callee) }
        if part.parent == noIndex || !archive.isInclude(parts[Int(part.parent)]) {
          callers[callee, default: []].insert(kind)
        }
        if part.knownRole == .parent { parents[kind, default: []].insert(callee) }
      }
    }
    Self.close(&ofOwner, over: callers)
    Self.close(&ofWholeRow, over: callers)
    for kind in parents.keys where ofOwner.contains(kind) { noteOverrides(of: kind) }
  }

  /// Those with blocks where an override of some of these kinds looks up an owner. Cost: the kinds and the parents they call.
  func overridden(by kinds: [UInt32]) -> Set<UInt32> {
    var found = kinds.reduce(into: Set<UInt32>()) { $0.formUnion(overrides[$1] ?? []) }
    // An override is for the blocks of the parent's parents, too.
    Self.close(&found, over: parents)
    return found
  }

  private mutating func noteOverrides(of kind: UInt32) {
    let parts = archive.parts(of: archive.entry(ofKind: kind))
    // The parent tag around each part.
    var tags: [Int?] = []
    var found: Set<Int> = []
    for part in parts where budget?.spend() != false {
      let outer = part.parent == noIndex ? nil : Int(part.parent)
      var tag = outer.flatMap { parts[$0].knownRole == .parent ? $0 : tags[$0] }
      tags.append(tag)
      guard looksUpOwner(part) || archive.callee(of: part).map(ofOwner.contains) == true else { continue }
      while let known = tag, found.insert(known).inserted {
        if let callee = archive.callee(of: parts[known]) { overrides[kind, default: []].insert(callee) }
        tag = tags[known]
      }
    }
  }

  private func looksUpOwner(_ part: PartEntry) -> Bool {
    let (name, owner) = (archive.bytes(part.name), DataShape.ownerName)
    return part.knownRole.isMustacheName && name.starts(with: owner)
      && (name.count == owner.count || name[owner.count] == UInt8(ascii: "."))
  }

  private func printsRow(_ part: PartEntry) -> Bool {
    guard archive.bytes(part.name).elementsEqual("@row".utf8) else { return false }
    return switch part.knownRole {
    // A boolean attribute asks whether it is there.
    case .variable: part.element.count == 0
    case .bind, .bound: true
    case .outlet, .taggedOutlet:
      archive.tables.$outlets[Int(part.entry)].form == OutletEntry.Form.data.rawValue
    default: false
    }
  }

  /// Adds the kinds that others lead to.
  private static func close(_ kinds: inout Set<UInt32>, over others: [UInt32: Set<UInt32>]) {
    var waiting = Array(kinds)
    while let next = waiting.popLast() {
      for other in others[next] ?? [] where kinds.insert(other).inserted { waiting.append(other) }
    }
  }
}

extension CellArchive {
  /// The kind that a part calls by its name.
  fileprivate func callee(of part: PartEntry) -> UInt32? {
    [.partial, .parent].contains(part.knownRole) ? kindNumber(bytes(part.name)) : nil
  }

  /// Whether a part is an outlet whose value is the row of another cell.
  func isInclude(_ part: PartEntry) -> Bool {
    (part.knownRole == .outlet || part.knownRole == .taggedOutlet)
      && tables.$outlets[Int(part.entry)].form == OutletEntry.Form.include.rawValue
  }
}
