import CellTemplates

/// Finds the names in a row that its kind never reads.
///
/// Visits each member once, and pauses like rows do: see `RowPause`.
package final class UnknownNames {
  package struct Finding {
    package let path: [JSONTape.PathPart]
    package let name: String
    /// The nearest name that is read there.
    package let nearest: String?
  }

  /// The most names that are described; others are counted.
  package static let findingLimit = 100
  /// Members visited between two checks of the clock.
  private static let visitsPerLook = 1024
  /// The members that a search for the nearest name counts as: it compares many names.
  private static let visitsPerSearch = 1024
  /// Names beyond it are cut where they are described.
  private static let nameBytes = 1 << 10

  private struct Frame {
    let value: JSONTape.Index
    let end: JSONTape.Index
    let isObject: Bool
    var state: ReadStates.State
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
  private let row: JSONTape.Index
  private var frames: [Frame] = []
  private var isBegun = false
  private var visits = 0
  package private(set) var findings: [Finding] = []
  package private(set) var count = 0

  init(in row: JSONTape.Index, _ states: ReadStates) {
    self.row = row
    self.states = states
  }

  /// Memory in bytes.
  package var heldBytes: Int { frames.capacity * MemoryLayout<Frame>.stride }

  /// Looks at the next members.
  /// - Parameter tape: the row's tape; its text may have moved.
  /// - Returns: false if the time is over before the end of the row.
  package func find(on tape: JSONTape, until pause: inout RowPause) -> Bool {
    if !isBegun {
      isBegun = true
      enter(row, states.row, tape)
    }
    while let place = frames.indices.last {
      if frames[place].next >= frames[place].end {
        frames.removeLast()
        if frames.isEmpty { break }
        continue
      }
      visits += 1
      if visits >= Self.visitsPerLook {
        visits = 0
        if pause.isOver() { return false }
      }
      if frames[place].isDeciding {
        decide(&frames[place], tape)
      } else if frames[place].isObject {
        lookAtMember(place, tape)
      } else {
        let element = frames[place].next
        frames[place].next = tape.end(element)
        frames[place].index += 1
        enter(element, frames[place].state, tape)
      }
    }
    return true
  }

  private func enter(_ value: JSONTape.Index, _ state: ReadStates.State, _ tape: JSONTape) {
    if states.isWhole(state) { return }
    let kind = tape.kind(value)
    guard kind == .object || kind == .array else { return }
    let isObject = kind == .object
    var inner = state
    if !isObject { inner = states.element(of: state, &visits) }
    frames.append(
      Frame(
        value: value, end: tape.end(value), isObject: isObject, state: inner, next: value + 1,
        isDeciding: isObject && states.hasGates(state)))
  }

  private func lookAtMember(_ place: Int, _ tape: JSONTape) {
    let key = frames[place].next
    frames[place].current = key
    frames[place].next = tape.end(key + 1)
    let name = tape.nameID(key)
    let state = frames[place].state
    if name != JSONTape.unknownName, let inner = states.member(name, of: state, &visits) {
      enter(key + 1, inner, tape)
      return
    }
    count += 1
    if findings.count < Self.findingLimit { findings.append(finding(key, state, tape)) }
  }

  private func finding(_ key: JSONTape.Index, _ state: ReadStates.State, _ tape: JSONTape) -> Finding {
    visits += Self.visitsPerSearch
    let name = String(decoding: tape.bytes(key).prefix(Self.nameBytes), as: UTF8.self)
    // The key or element that each frame looks at; of the innermost, the unknown name itself.
    let path = frames.map { frame -> JSONTape.PathPart in
      frame.isObject
        ? .member(String(decoding: tape.bytes(frame.current).prefix(Self.nameBytes), as: UTF8.self))
        : .element(frame.index - 1)
    }
    return Finding(path: path, name: name, nearest: states.nearest(to: name, in: state))
  }

  /// Notes whether a member makes names inside it be looked up in this object.
  private func decide(_ frame: inout Frame, _ tape: JSONTape) {
    let name = tape.nameID(frame.next)
    if name != JSONTape.unknownName, states.isGate(name, in: frame.state) {
      switch tape.kind(frame.next + 1) {
      case .object, .null, .false: break
      default: frame.deciding.insert(name)
      }
    }
    frame.next = tape.end(frame.next + 1)
    if frame.next < frame.end { return }
    frame.isDeciding = false
    frame.state = states.open(frame.deciding, in: frame.state, &visits)
    frame.deciding = []
    frame.next = frame.value + 1
  }
}
