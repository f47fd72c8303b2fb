import CellTemplates

/// The vertices that values are at, as sets: each set is a number, made when a value first is there. How many there are
/// depends on the templates: rows only decide which of them are made.
///
/// Confined to one thread, like the edition that keeps it.
package final class ReadStates {
  typealias State = Int

  /// The most sets, and the most vertices in all of them. Where a template needs more, anything counts as read.
  private static let stateLimit = 1 << 12
  private static let vertexLimit = 1 << 15
  /// The most known members of all sets together; others are found again each time.
  private static let memberLimit = 1 << 13

  private struct Content {
    let vertices: [Int]
    /// No state if the name is not read, else one; a list, as `UnknownNames` keeps them.
    var members: [UInt32: [State]] = [:]
    var element: State?
    /// The state that a value is also in if its member of this name is no object; nil as long as none was.
    var gates: [UInt32: State?] = [:]
  }

  /// The set that contains everything.
  private static let whole: State = 0

  private let names: ReadNames
  private let archive: CellArchive
  private var contents: [Content] = [Content(vertices: [ReadNames.whole])]
  private var known: [[Int]: State] = [:]
  private var vertexCount = 0
  private var memberCount = 0
  private var isUsed = false
  private let tally: ReadShelf.Tally
  private var size = 0
  /// The state of a row.
  private(set) var row: State = 0

  /// - Parameter tally: where this is counted as long as it exists.
  init(_ names: ReadNames, _ archive: CellArchive, _ tally: ReadShelf.Tally) {
    self.names = names
    self.archive = archive
    self.tally = tally
    count(names.size)
    var work = 0
    row = state(of: names.row, &work)
  }

  deinit { tally.size -= size }

  /// Whether nobody has asked before.
  func isFirstUse() -> Bool {
    defer { isUsed = true }
    return !isUsed
  }

  private func count(_ more: Int) {
    size += more
    tally.size += more
  }

  /// Whether rows have a member of this name.
  func readsMember(_ name: UInt32) -> Bool {
    var work = 0
    return !isWhole(row) && !member(name, of: row, &work).isEmpty
  }

  func isWhole(_ state: State) -> Bool { state == Self.whole }

  /// Whether members of a value decide which other names are read in it.
  func hasGates(_ state: State) -> Bool { !contents[state].gates.isEmpty }

  func isGate(_ name: UInt32, in state: State) -> Bool { contents[state].gates[name] != nil }

  /// The state of a member's value; none if the name is not read.
  /// - Parameter work: increased by the number of vertices looked at.
  func member(_ name: UInt32, of state: State, _ work: inout Int) -> [State] {
    if let known = contents[state].members[name] { return known }
    work += contents[state].vertices.count
    let found = contents[state].vertices.flatMap { names.vertices[$0].members[name] ?? [] }
    let member = found.isEmpty ? [] : [self.state(of: found, &work)]
    if memberCount < Self.memberLimit {
      memberCount += 1
      count(1)
      contents[state].members[name] = member
    }
    return member
  }

  /// The state of a list's elements: each is treated like the list, and may be looked up by its index.
  func element(of state: State, _ work: inout Int) -> State {
    if let known = contents[state].element { return known }
    let vertices = contents[state].vertices
    let archiveNames = archive.tables.$names
    var found = vertices
    for vertex in vertices {
      work += names.vertices[vertex].members.count
      for (name, values) in names.vertices[vertex].members
      where archiveNames[Int(name)].listIndex != noIndex { found += values }
    }
    let element = found.count == vertices.count ? state : self.state(of: found, &work)
    contents[state].element = element
    return element
  }

  /// The state that a value is also in because its member of this name is no object.
  func opened(by gate: UInt32, in state: State, _ work: inout Int) -> State {
    if case .some(.some(let known)) = contents[state].gates[gate] { return known }
    work += contents[state].vertices.count
    let opened = self.state(
      of: contents[state].vertices.flatMap { names.vertices[$0].unlessObject[gate] ?? [] }, &work)
    contents[state].gates[gate] = opened
    return opened
  }

  /// The nearest of the names that are read in states.
  /// - Parameter comparisons: how many names may be compared. What the search has taken is subtracted.
  func nearest(to name: String, in states: [State], comparisons: inout Int) -> String? {
    let read = Set(states.flatMap { contents[$0].vertices.flatMap { names.vertices[$0].members.keys } })
    let texts = read.sorted().prefix(min(NearestName.candidateLimit, comparisons)).map {
      archive.text(archive.tables.$names[Int($0)].text)
    }
    // All that are read are collected first.
    comparisons -= max(texts.count, read.count / 4)
    return NearestName.find(name, among: texts)
  }

  /// The nearest of the names that are read in a state.
  func nearest(to name: String, in state: State) -> String? {
    let candidates = contents[state].vertices.lazy.flatMap { self.names.vertices[$0].members.keys }
    let texts = Set(candidates.prefix(NearestName.candidateLimit)).map {
      self.archive.text(self.archive.tables.$names[Int($0)].text)
    }
    return NearestName.find(name, among: texts.sorted())
  }

  /// The number of a set of vertices and of those that values there are also at.
  private func state(of start: [Int], _ work: inout Int) -> State {
    var seen = Set(start + names.everywhere)
    var waiting = Array(seen)
    while let vertex = waiting.popLast() {
      if names.vertices[vertex].isWhole { return Self.whole }
      work += 1 + names.vertices[vertex].also.count
      for also in names.vertices[vertex].also where seen.insert(also).inserted { waiting.append(also) }
    }
    let vertices = seen.sorted()
    if let known = known[vertices] { return known }
    guard contents.count < Self.stateLimit, vertexCount + vertices.count <= Self.vertexLimit else {
      return Self.whole
    }
    vertexCount += vertices.count
    count(1 + vertices.count)
    var content = Content(vertices: vertices)
    for vertex in vertices {
      for gate in names.vertices[vertex].unlessObject.keys { content.gates.updateValue(nil, forKey: gate) }
    }
    contents.append(content)
    known[vertices] = contents.count - 1
    return contents.count - 1
  }
}
