import CellTemplates

/// Finds the values of a cell's outlets in one row, by the same look-up rules as the template.
///
/// Sections are entered as in rendering: a section that is not rendered is skipped, a list is iterated.
/// Called partials are other kinds with their own outlets.
struct OutletValues {
  /// A section that has been entered.
  private struct Frame {
    /// The value of the section, or the current item of its list; nil for a loop property, as in
    /// `{{#@first}}`.
    var node: JSONTape.Index?
    /// The index of an item in its list, and the number of items.
    var loop: (index: Int, count: Int)?
    /// Inverted sections push no context: names are looked up around them.
    var isInverted = false
  }

  enum Finding {
    /// - Parameter isRepeated: whether it belongs to an item of a list.
    case value(JSONTape.Index, isRepeated: Bool)
    /// There are no more values.
    case end
    /// The time is over. Call again to continue.
    case pause
  }

  private enum Found {
    case node(JSONTape.Index)
    case truth(Bool)
    case missing
  }

  private let archive: CellArchive
  private let context: RowContext
  /// The row's tape, updated when its text may have moved.
  var tape: JSONTape
  private let scope: RowScope
  private let limits: RenderLimits
  private var outlet: OutletEntry?
  /// The sections around the outlet, outermost first. Those that are entered have a frame.
  private var sections: [PartEntry] = []
  private var frames: [Frame] = []
  /// Whether to enter the next section; otherwise the innermost one is left or moved to its next item.
  private var isEntering = false
  /// Steps between two checks of the clock, and those left until the next one.
  private static let stepsPerLook = 256
  private var stepsLeft = stepsPerLook

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

  /// Starts to look for the values of an outlet.
  /// - Parameter sections: the parts around it, outermost first.
  mutating func begin(_ outlet: OutletEntry, in sections: [PartEntry]) {
    (self.outlet, self.sections) = (outlet, sections)
    frames.removeAll(keepingCapacity: true)
    isEntering = true
  }

  /// The outlet's next value, in rendering order.
  mutating func next() throws(RenderFault) -> Finding {
    guard let outlet else { return .end }
    while true {
      if stepsLeft == 0 {
        stepsLeft = Self.stepsPerLook
        if scope.pause.isOver() { return .pause }
      }
      stepsLeft -= 1
      if isEntering {
        // The same limit as for rendering, because sections in overrides of a block that is never rendered
        // may iterate only here.
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
      } else {
        guard let frame = frames.popLast() else { return .end }
        guard let loop = frame.loop, loop.index + 1 < loop.count, let item = frame.node else { continue }
        frames.append(Frame(node: tape.end(item), loop: (loop.index + 1, loop.count)))
        isEntering = true
      }
    }
  }

  /// Enters a section; returns false if it is not rendered.
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
      // As in rendering, 16 elements count as one turn.
      scope.turns += Int(index) >> 4
      return scope.element(Int(index), of: node, on: tape)
    default: return nil
    }
  }

  // MARK: Sections

  /// The first name of a section is looked up outward, with `owner` below the row.
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
