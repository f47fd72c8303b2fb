import CellTemplates

/// The places that values are at, as sets: each set is a number, made when a value first is there.
///
/// Confined to one thread, like the edition that keeps it.
package final class ReadStates {
  typealias State = Int

  /// The most sets, and the most places in all of them. In a row that would need more, anything counts as read.
  private static let stateLimit = 1 << 12
  private static let placeLimit = 1 << 18
  /// The most known members of all sets together; others are found again each time.
  private static let memberLimit = 1 << 16

  private struct Content {
    let places: [Int]
    var members: [UInt32: State?] = [:]
    var element: State?
    let gates: Set<UInt32>
    var opened: [Set<UInt32>: State] = [:]
  }

  /// The set that contains everything.
  private static let whole: State = 0

  private let names: ReadNames
  private let archive: CellArchive
  private var contents: [Content] = [Content(places: [ReadNames.whole], gates: [])]
  private var known: [[Int]: State] = [:]
  private var placeCount = 0
  private var memberCount = 0
  /// The state of a row.
  private(set) var row: State = 0

  init(_ names: ReadNames, _ archive: CellArchive) {
    self.names = names
    self.archive = archive
    var work = 0
    row = state(of: names.row, &work)
  }

  /// Whether a row may have any name.
  package var acceptsAnything: Bool { isWhole(row) }

  /// Whether rows have a member of this name.
  func readsMember(_ name: UInt32) -> Bool {
    var work = 0
    return !isWhole(row) && member(name, of: row, &work) != nil
  }

  func isWhole(_ state: State) -> Bool { state == Self.whole }

  /// Whether members of a value decide which other names are read in it.
  func hasGates(_ state: State) -> Bool { !contents[state].gates.isEmpty }

  func isGate(_ name: UInt32, in state: State) -> Bool { contents[state].gates.contains(name) }

  /// The state of a member's value; nil if the name is not read.
  /// - Parameter work: increased by the number of places looked at.
  func member(_ name: UInt32, of state: State, _ work: inout Int) -> State? {
    if let known = contents[state].members[name] { return known }
    work += contents[state].places.count
    let found = contents[state].places.flatMap { names.places[$0].members[name] ?? [] }
    let member = found.isEmpty ? nil : self.state(of: found, &work)
    if memberCount < Self.memberLimit {
      memberCount += 1
      contents[state].members[name] = .some(member)
    }
    return member
  }

  /// The state of a list's elements: each is treated like the list, and may be looked up by its index.
  func element(of state: State, _ work: inout Int) -> State {
    if let known = contents[state].element { return known }
    let places = contents[state].places
    var found = places
    for place in places {
      work += names.places[place].members.count
      for (name, values) in names.places[place].members
      where archive.names[Int(name)].listIndex != noIndex { found += values }
    }
    let element = found.count == places.count ? state : self.state(of: found, &work)
    contents[state].element = element
    return element
  }

  /// The state of a value in which these members are no objects.
  func open(_ gates: Set<UInt32>, in state: State, _ work: inout Int) -> State {
    if gates.isEmpty { return state }
    if let known = contents[state].opened[gates] { return known }
    var found = contents[state].places
    for place in contents[state].places {
      work += 1
      for gate in gates { found += names.places[place].unlessObject[gate] ?? [] }
    }
    let opened = self.state(of: found, &work)
    if memberCount < Self.memberLimit {
      memberCount += gates.count
      contents[state].opened[gates] = opened
    }
    return opened
  }

  /// The nearest of the names that are read in a state.
  func nearest(to name: String, in state: State) -> String? {
    let candidates = contents[state].places.lazy.flatMap { self.names.places[$0].members.keys }
    let texts = Set(candidates.prefix(NearestName.candidateLimit)).map {
      self.archive.text(self.archive.names[Int($0)].text)
    }
    return NearestName.find(name, among: texts.sorted())
  }

  /// The number of a set of places and of those that values there are also at.
  private func state(of start: [Int], _ work: inout Int) -> State {
    var seen = Set(start + names.everywhere)
    var waiting = Array(seen)
    while let place = waiting.popLast() {
      if names.places[place].isWhole { return Self.whole }
      work += 1 + names.places[place].also.count
      for also in names.places[place].also where seen.insert(also).inserted { waiting.append(also) }
    }
    let places = seen.sorted()
    if let known = known[places] { return known }
    guard contents.count < Self.stateLimit, placeCount + places.count <= Self.placeLimit else {
      return Self.whole
    }
    placeCount += places.count
    let gates = places.reduce(into: Set<UInt32>()) { $0.formUnion(names.places[$1].unlessObject.keys) }
    contents.append(Content(places: places, gates: gates))
    known[places] = contents.count - 1
    return contents.count - 1
  }
}
