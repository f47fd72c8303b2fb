import CellTemplates

/// Finds the names in a row that its kind never reads.
///
/// Looks at each member, once for each value that its names may be looked up in, and pauses like rows do: see `RowPause`.
package final class UnknownNames {
  package struct Finding {
    package let path: [JSONTape.PathPart]
    package let name: String
    /// The nearest name that is read there.
    package let nearest: String?
  }

  /// The most names that are described; others are counted.
  package static let findingLimit = 100
  /// The most bytes of all their paths, but for the first: a path is as long as the row is deep.
  private static let pathBytes = 64 << 10
  /// What a part of a path counts as, besides its name.
  private static let bytesPerPart = 16
  /// Members visited between two checks of the clock, over all rows: `memo.stepsLeft` are left until the next one.
  private static let visitsPerLook = 1024
  /// The members that a comparison with a short name counts as, in a search for the nearest one, and the bytes that count as one
  /// more.
  private static let visitsPerComparison = 4
  private static let comparedBytesPerVisit = 8
  /// Names beyond it are cut where they are described.
  private static let nameBytes = 1 << 10

  private struct Frame {
    let value: JSONTape.Index
    let end: JSONTape.Index
    let isObject: Bool
    /// One, and those that members open.
    var states: [ReadStates.State]
    /// How many of them members do not open.
    let ownStates: Int
    /// The key or element that is looked at, and the one after it.
    var current: JSONTape.Index = 0
    var next: JSONTape.Index
    /// The index of the next element.
    var index = 0
    /// Whether the members are looked through for those that decide where names are looked up.
    var isDeciding: Bool
    var deciding: Set<UInt32> = []
  }

  private let states: ReadStates
  private let memo: RequestMemo
  private let row: JSONTape.Index
  /// Whether names are described. To look for the nearest one takes long.
  private let describes: Bool
  private var frames: [Frame] = []
  private var isBegun = false
  /// Not counted yet.
  private var visits = 0
  /// The visits that searches take as long as; these are no iterations, for only some names are described.
  private var searchVisits = 0
  private var describedBytes = 0
  /// The comparisons left to find nearest names. Without any, names are described without.
  package private(set) var comparisonsLeft: Int
  package private(set) var findings: [Finding] = []
  package private(set) var count = 0

  init(
    in row: JSONTape.Index, _ states: ReadStates, _ memo: RequestMemo, describes: Bool, comparisons: Int
  ) {
    self.row = row
    self.memo = memo
    self.states = states
    self.describes = describes
    comparisonsLeft = comparisons
  }

  /// Memory in bytes.
  package var heldBytes: Int { frames.capacity * MemoryLayout<Frame>.stride }

  /// Looks at the next members.
  /// - Parameter tape: the row's tape; its text may have moved.
  /// - Returns: false if the time is over before the end of the row.
  /// - Throws: `.tooMuchWork`.
  package func find(on tape: JSONTape, _ limits: RenderLimits) throws(RenderFault) -> Bool {
    if !isBegun {
      isBegun = true
      enter(row, [states.row], tape)
      // To make states may have taken as long as a slice.
      if states.isFirstUse(), memo.pause.isOver() { return false }
    }
    while let position = frames.indices.last {
      if frames[position].next >= frames[position].end, !frames[position].isDeciding {
        frames.removeLast()
        if frames.isEmpty { break }
        continue
      }
      visits += 1
      if visits + searchVisits > memo.stepsLeft {
        try countVisits(limits)
        memo.stepsLeft = Self.visitsPerLook
        if memo.pause.isOver() { return false }
      }
      if frames[position].isDeciding {
        decide(&frames[position], tape)
      } else if frames[position].isObject {
        lookAtMember(position, tape)
      } else {
        let element = frames[position].next
        frames[position].next = tape.end(element)
        frames[position].index += 1
        enter(element, frames[position].states, tape)
      }
    }
    try countVisits(limits)
    return true
  }

  private func countVisits(_ limits: RenderLimits) throws(RenderFault) {
    memo.iterations += visits
    memo.stepsLeft -= visits + searchVisits
    (visits, searchVisits) = (0, 0)
    if memo.iterations > limits.iterations { throw .tooMuchWork(limit: limits.iterations) }
  }

  private func enter(_ value: JSONTape.Index, _ around: [ReadStates.State], _ tape: JSONTape) {
    if around.contains(where: states.isWhole) { return }
    let kind = tape.kind(value)
    guard kind == .object || kind == .array else { return }
    let isObject = kind == .object
    let inner = isObject ? around : around.map { states.element(of: $0, &visits) }
    frames.append(
      Frame(
        value: value, end: tape.end(value), isObject: isObject, states: inner, ownStates: inner.count,
        next: value + 1, isDeciding: isObject && inner.contains(where: states.hasGates)))
  }

  private func lookAtMember(_ position: Int, _ tape: JSONTape) {
    let key = frames[position].next
    frames[position].current = key
    frames[position].next = tape.end(key + 1)
    let name = tape.nameID(key)
    let around = frames[position].states
    if name != JSONTape.unknownName {
      // No reader sees it.
      if tape.isSuperseded(key) { return }
      let inner = states(of: name, in: around)
      if !inner.isEmpty { return enter(key + 1, inner, tape) }
    }
    count += 1
    if describes, findings.count < Self.findingLimit, describedBytes < Self.pathBytes {
      findings.append(finding(key, around, tape))
    }
  }

  private func states(of name: UInt32, in around: [ReadStates.State]) -> [ReadStates.State] {
    var found = states.member(name, of: around[0], &visits)
    for state in around.dropFirst() {
      visits += 1
      for member in states.member(name, of: state, &visits) where !found.contains(member) {
        found.append(member)
      }
    }
    return found
  }

  private func finding(
    _ key: JSONTape.Index, _ around: [ReadStates.State], _ tape: JSONTape
  ) -> Finding {
    let name = String(decoding: tape.bytes(key).prefix(Self.nameBytes), as: UTF8.self)
    // The key or element that each frame looks at; of the innermost, the unknown name itself.
    let path = frames.map { frame -> JSONTape.PathPart in
      frame.isObject
        ? .member(String(decoding: tape.bytes(frame.current).prefix(Self.nameBytes), as: UTF8.self))
        : .element(frame.index - 1)
    }
    describedBytes += frames.count * Self.bytesPerPart
    for case .member(let name) in path { describedBytes += name.utf8.count }
    let before = comparisonsLeft
    let nearest =
      comparisonsLeft > 0 ? states.nearest(to: name, in: around, comparisons: &comparisonsLeft) : nil
    let visitsPerComparison = Self.visitsPerComparison + name.utf8.count / Self.comparedBytesPerVisit
    searchVisits += (before - comparisonsLeft) * visitsPerComparison + frames.count
    return Finding(path: path, name: name, nearest: nearest)
  }

  /// Notes whether a member makes names inside it be looked up in this object; after the last member, opens what one of those
  /// that do makes: that may take as long as a slice.
  private func decide(_ frame: inout Frame, _ tape: JSONTape) {
    guard frame.next < frame.end else { return open(&frame) }
    let name = tape.nameID(frame.next)
    if name != JSONTape.unknownName, !tape.isSuperseded(frame.next),
      frame.states.contains(where: { states.isGate(name, in: $0) })
    {
      switch tape.kind(frame.next + 1) {
      case .object, .null, .false: break
      default: frame.deciding.insert(name)
      }
    }
    frame.next = tape.end(frame.next + 1)
  }

  private func open(_ frame: inout Frame) {
    if let name = frame.deciding.popFirst() {
      for state in frame.states[..<frame.ownStates] where states.isGate(name, in: state) {
        let opened = states.opened(by: name, in: state, &visits)
        if !frame.states.contains(opened) { frame.states.append(opened) }
      }
      return
    }
    frame.isDeciding = false
    // What is opened may be everything.
    frame.next = frame.states.contains(where: states.isWhole) ? frame.end : frame.value + 1
  }
}
