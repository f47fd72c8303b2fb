import CellTemplates

/// Finds the values of a cell's outlets in one row, where the template would look for them.
///
/// Sections are walked as rendering walks them: one that is not drawn is passed over, a list is gone through.
/// Partials are other kinds, with outlets of their own.
struct OutletValues {
  /// A section that has been entered.
  private struct Frame {
    /// The value the section found, or the list's item; nil: what a loop gives, `{{#@first}}`.
    var node: JSONTape.Index?
    /// The place of an item in its list, and how many there are.
    var loop: (index: Int, count: Int)?
    /// An inverted section pushes nothing: names are looked up around it.
    var isInverted = false
  }

  enum Finding {
    /// - Parameter isRepeated: it stands in a list's items.
    case value(JSONTape.Index, isRepeated: Bool)
    /// There are no more values.
    case end
    /// The time is over: ask again.
    case pause
  }

  private enum Found {
    case node(JSONTape.Index)
    case truth(Bool)
    case missing
  }

  private let archive: CellArchive
  private let context: RowContext
  /// The row's tape: set again where it may have moved.
  var tape: JSONTape
  private let scope: RowScope
  private let limits: RenderLimits
  private var outlet: OutletEntry?
  /// The parts around the outlet, outermost first; of them those that are entered have a frame.
  private var sections: [PartEntry] = []
  private var frames: [Frame] = []
  /// The next section is to be entered; else the innermost one is to be left, or moved to its next item.
  private var isEntering = false

  init(
    _ archive: CellArchive, _ context: RowContext, on tape: JSONTape, _ scope: RowScope,
    _ limits: RenderLimits
  ) {
    self.archive = archive
    self.context = context
    self.tape = tape
    self.scope = scope
    self.limits = limits
  }

  /// Looks for the values of an outlet from now on.
  /// - Parameter sections: the parts around it, outermost first.
  mutating func begin(_ outlet: OutletEntry, in sections: [PartEntry]) {
    (self.outlet, self.sections) = (outlet, sections)
    frames.removeAll(keepingCapacity: true)
    isEntering = true
  }

  /// The outlet's next value, in the order of rendering.
  mutating func next() throws(RenderFault) -> Finding {
    guard let outlet else { return .end }
    while true {
      if isEntering {
        // The same bound as for rendering: what overrides a block that nobody draws may repeat where nothing else
        // does.
        scope.turns += 1
        if scope.turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
        if frames.count == sections.count {
          isEntering = false
          if let value = value(of: archive.paths[Int(outlet.path)]) {
            return .value(value, isRepeated: frames.contains { $0.loop != nil })
          }
        } else {
          isEntering = enter(sections[frames.count])
        }
        if scope.turns % RowPause.turnsPerLook == 0, scope.pause.isOver() { return .pause }
      } else {
        guard let frame = frames.popLast() else { return .end }
        guard let loop = frame.loop, loop.index + 1 < loop.count, let item = frame.node else { continue }
        frames.append(Frame(node: tape.end(item), loop: (loop.index + 1, loop.count)))
        isEntering = true
      }
    }
  }

  /// Enters a section; false where it is not rendered.
  private mutating func enter(_ section: PartEntry) -> Bool {
    let found = find(archive.paths[Int(section.entry)])
    if section.knownRole == .inverted {
      if isTruthy(found) { return false }
      frames.append(Frame(isInverted: true))
      return true
    }
    guard isTruthy(found) else { return false }
    guard case .node(let node) = found else {
      frames.append(Frame())
      return true
    }
    let isList = tape.kind(node) == .array
    frames.append(isList ? Frame(node: node + 1, loop: (0, tape.count(node))) : Frame(node: node))
    return true
  }

  // MARK: Outlets

  /// An outlet's first name is looked up in the innermost object only, or is the request's `owner`.
  private func value(of path: PathEntry) -> JSONTape.Index? {
    if path.root == PathEntry.Root.item.rawValue {
      guard let top = frames.last(where: { !$0.isInverted }) else { return context.row }
      return top.node
    }
    if path.name == ReservedName.owner { return rest(of: path, in: context.owner) }
    let objects = frames.lazy.compactMap(\.node).filter { tape.kind($0) == .object }
    let object = objects.last ?? context.row
    guard tape.kind(object) == .object else { return nil }
    return rest(of: path, in: scope.value(named: path.name, in: object, on: tape, turns: &scope.turns))
  }

  private func rest(of path: PathEntry, in first: JSONTape.Index?) -> JSONTape.Index? {
    var value = first
    for place in path.segmentStart..<path.segmentStart + path.segmentCount {
      guard let node = value else { return nil }
      value = member(archive.segments[Int(place)], of: node)
    }
    return value
  }

  private func member(_ name: UInt32, of node: JSONTape.Index) -> JSONTape.Index? {
    switch tape.kind(node) {
    case .object: return scope.value(named: name, in: node, on: tape, turns: &scope.turns)
    case .array:
      let index = archive.names[Int(name)].listIndex
      if index == noIndex || Int(index) >= tape.count(node) { return nil }
      // As rendering does: 16 elements are a turn.
      scope.turns += Int(index) >> 4
      return scope.element(Int(index), of: node, on: tape)
    default: return nil
    }
  }

  // MARK: Sections

  /// A section's first name is looked up outward; `owner` lies below the row.
  private func find(_ path: PathEntry) -> Found {
    guard let root = PathEntry.Root(rawValue: path.root) else { return .missing }
    if root == .name { return findName(path) }
    if path.segmentCount > 0 { return .missing }
    if root == .item {
      guard let top = frames.last(where: { !$0.isInverted }) else { return .node(context.row) }
      return top.node.map(Found.node) ?? .truth(true)
    }
    let loop = frames.last { $0.loop != nil }?.loop ?? (context.place, context.count)
    switch root {
    case .first: return .truth(loop.index == 0)
    case .last: return .truth(loop.index + 1 == loop.count)
    case .odd: return .truth(loop.index % 2 == 1)
    case .even: return .truth(loop.index % 2 == 0)
    case .index, .item, .name: return .truth(loop.index != 0)
    }
  }

  private func findName(_ path: PathEntry) -> Found {
    let nodes = [context.row] + frames.compactMap(\.node)
    let first = nodes.reversed().lazy.compactMap { member(path.name, of: $0) }.first
    let owner = path.name == ReservedName.owner ? context.owner : nil
    return rest(of: path, in: first ?? owner).map(Found.node) ?? .missing
  }

  private func isTruthy(_ found: Found) -> Bool {
    switch found {
    case .missing: return false
    case .truth(let isTrue): return isTrue
    case .node(let node):
      switch tape.kind(node) {
      case .null, .false, .key: return false
      case .true, .object: return true
      case .number: return !tape.isZero(node)
      case .string: return !tape.bytes(node).isEmpty
      case .array: return tape.count(node) > 0
      }
    }
  }
}
