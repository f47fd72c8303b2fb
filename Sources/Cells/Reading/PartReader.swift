import CellTemplates

/// Reads the parts of one kind, in order, into the vertices where their names are looked up.
struct PartReader {
  /// A value that names inside a part are looked up in.
  private struct Frame {
    let vertex: Int
    /// Collects the names that are looked up around the value if that is no object; nil as long as there are none.
    var around: Int?
    let outer: Int?
    /// The outlet's name, if the value decides it only as the member of that name; nil if it may be found elsewhere.
    let gate: UInt32?
    let isSection: Bool
    let isOverride: Bool
  }

  private struct Scope {
    /// The frame of what the part contains.
    let frame: Int
    let isOverride: Bool
    /// Where the value of `.` is besides the frame's vertex: in an override, it is what is around the block.
    let blocks: [Int]
    /// Whether the part is the outlet of an included cell.
    let isInclude: Bool
  }

  private let kind: ReadNames.Kind
  private let archive: CellArchive
  private let names: JSONNames
  private var frames: [Frame]
  private var scopes: [Scope] = []

  init(_ kind: ReadNames.Kind, _ archive: CellArchive, _ names: JSONNames) {
    self.kind = kind
    self.archive = archive
    self.names = names
    frames = [Frame(vertex: kind.names, outer: nil, gate: nil, isSection: false, isOverride: false)]
  }

  mutating func read(_ part: PartEntry, into graph: inout ReadNames) {
    let outer =
      part.parent == noIndex
      ? Scope(frame: 0, isOverride: false, blocks: [], isInclude: false) : scopes[Int(part.parent)]
    var (frame, isOverride, blocks, isInclude) = (outer.frame, outer.isOverride, outer.blocks, false)
    let role = part.knownRole
    switch role {
    case .action: break
    case .block: noteBlock(outer, &graph)
    case .partial, .parent:
      if let number = archive.kindNumber(archive.bytes(part.name)) {
        let callee = graph.vertices(of: number)
        call(callee, outer, &graph)
        if role == .parent {
          // Whoever calls this kind as a parent may override the blocks of its parents, too.
          noteBlock(outer, &graph)
          graph.add(kind.blocks, at: callee.blocks)
          blocks.append(callee.blocks)
        }
      }
      if role == .parent { isOverride = true }
    case .dynamic:
      look(up: path(of: part), to: ReadNames.whole, isOutward: !outer.isInclude, outer, &graph)
      callAnything(outer, &graph)
      isOverride = true
    case .variable:
      let isCondition = part.element.count > 0
      look(
        up: path(of: part), to: isCondition ? ReadNames.nothing : ReadNames.whole, isOutward: true, outer,
        &graph)
    case .inverted, .plural:
      look(up: path(of: part), to: ReadNames.nothing, isOutward: true, outer, &graph)
    case .condition: look(up: path(of: part), to: ReadNames.nothing, isOutward: false, outer, &graph)
    case .bind, .bound: look(up: path(of: part), to: ReadNames.whole, isOutward: false, outer, &graph)
    case .section:
      (frame, blocks) = enter(part, isOutward: true, isGate: false, outer, &graph)
    case .outlet, .taggedOutlet:
      let entry = archive.tables.$outlets[Int(part.entry)]
      // Without a value, an element that stays looks up the names of its attributes around.
      let staysWithoutValue =
        entry.absence != OutletEntry.Absence.leavesOut.rawValue
        || entry.form == OutletEntry.Form.choice.rawValue
      (frame, blocks) = enter(part, isOutward: false, isGate: !staysWithoutValue, outer, &graph)
      let vertex = frames[frame].vertex
      if entry.form == OutletEntry.Form.data.rawValue { setWhole(vertex, blocks, &graph) }
      if entry.textName != noIndex {
        for vertex in [vertex] + blocks { graph.add([entry.textName], at: vertex, to: ReadNames.whole) }
      }
      isInclude = entry.form == OutletEntry.Form.include.rawValue
    }
    scopes.append(Scope(frame: frame, isOverride: isOverride, blocks: blocks, isInclude: isInclude))
  }

  // MARK: Paths

  private enum Path {
    /// Names, from the innermost value outwards.
    case names([UInt32])
    /// Names in the row that the cell was given, or that row itself.
    case ofRow([UInt32])
    case itself
    /// What loops provide.
    case none
  }

  private func path(of part: PartEntry) -> Path {
    let text = archive.bytes(part.name)
    let dot = UInt8(ascii: ".")
    if text.first == dot, text.count == 1 { return .itself }
    let first = UnsafeRawBufferPointer(rebasing: text.prefix { $0 != dot })
    var start = 0
    if text.first == UInt8(ascii: "@") {
      if first.elementsEqual("@row".utf8) {
        start = first.count + 1
      } else if AtNames.contains(first) {
        return .none
      }
    }
    let isOfRow = start > 0
    var path: [UInt32] = []
    // Of a longer path, nothing is used.
    while start < text.count, path.count <= ReadNames.nameLimit {
      let name = UnsafeRawBufferPointer(rebasing: text[start...].prefix { $0 != dot })
      if let id = names.id(of: name) { path.append(id) }
      start += name.count + 1
    }
    return isOfRow ? .ofRow(path) : .names(path)
  }

  /// Adds a name wherever it may be looked up, with a value at `target`.
  private mutating func look(
    up path: Path, to target: Int, isOutward: Bool, _ scope: Scope, _ graph: inout ReadNames
  ) {
    switch path {
    case .none: break
    case .itself: if target == ReadNames.whole { setWhole(frames[scope.frame].vertex, scope.blocks, &graph) }
    // The row may be that of any cell around.
    case .ofRow(let path) where path.isEmpty:
      if target != ReadNames.nothing {
        for vertex in [kind.row, kind.around] { graph.add(target, at: vertex) }
      }
    case .ofRow(let path):
      for vertex in [kind.names, kind.around] { graph.add(path, at: vertex, to: target) }
    case .names(let path):
      if scope.isOverride { graph.add(path, at: kind.anywhere, to: target) }
      let frame = frames[scope.frame]
      graph.add(path, at: frame.vertex, to: target)
      if !isOutward {
        if let around = vertexAround(scope.frame, &graph) { graph.add(path, at: around, to: target) }
        return
      }
      var next = frame.outer
      while let outer = next, !graph.isTooLarge {
        graph.add(path, at: frames[outer].vertex, to: target)
        next = frames[outer].outer
      }
      graph.add(path, at: kind.around, to: target)
    }
  }

  /// Everything in a frame's value is read, and everything in what is around blocks.
  private func setWhole(_ vertex: Int, _ blocks: [Int], _ graph: inout ReadNames) {
    graph.setWhole(vertex == kind.names ? kind.row : vertex)
    for vertex in blocks { graph.setWhole(vertex) }
  }

  /// Adds the frame of an outlet or section.
  /// - Parameter isGate: whether names are looked up around the value only if there is one.
  /// - Returns: the frame, and where its value is besides the frame's vertex.
  private mutating func enter(
    _ part: PartEntry, isOutward: Bool, isGate: Bool, _ scope: Scope, _ graph: inout ReadNames
  ) -> (frame: Int, blocks: [Int]) {
    let outer = frames[scope.frame]
    let path = path(of: part)
    let vertex: Int
    var blocks: [Int] = []
    switch path {
    case .itself: (vertex, blocks) = (outer.vertex, scope.blocks)
    case .names, .ofRow, .none:
      vertex = graph.addVertex()
      look(up: path, to: vertex, isOutward: isOutward, scope, &graph)
    }
    var gate: UInt32?
    if isGate, case .names(let path) = path, path.count == 1 { gate = path[0] }
    frames.append(
      Frame(
        vertex: vertex, outer: scope.frame, gate: gate, isSection: isOutward, isOverride: scope.isOverride))
    return (frames.count - 1, blocks)
  }

  /// Notes the value around a block. At the top of the kind, that is the value around the parent tag that calls it.
  private func noteBlock(_ scope: Scope, _ graph: inout ReadNames) {
    let vertex = frames[scope.frame].vertex
    if vertex != kind.names { graph.add(kind.blocks, at: vertex) }
  }

  /// The vertex for names that are looked up around a frame's value; nil for a row.
  private mutating func vertexAround(_ frame: Int, _ graph: inout ReadNames) -> Int? {
    guard let outer = frames[frame].outer else { return nil }
    if let known = frames[frame].around { return known }
    let around = graph.addVertex()
    frames[frame].around = around
    if let gate = frames[frame].gate {
      graph.add(around, at: frames[outer].vertex, unlessObject: gate)
    } else {
      graph.add(around, at: frames[outer].vertex)
    }
    if frames[frame].isOverride { graph.add(around, at: kind.anywhere) }
    if let outer = vertexAround(outer, &graph) { graph.add(around, at: outer) }
    return around
  }

  // MARK: Calls

  /// Adds what a called cell reads.
  private mutating func call(_ callee: ReadNames.Kind, _ scope: Scope, _ graph: inout ReadNames) {
    let frame = frames[scope.frame]
    if frame.vertex == kind.names {
      graph.add(callee.row, at: kind.row)
      graph.add(callee.names, at: kind.names)
    } else {
      graph.add(callee.row, at: frame.vertex)
    }
    // The value of an outlet may be `true`: then the cell's row is what is around.
    if let around = vertexAround(scope.frame, &graph) {
      graph.add(frame.isSection ? callee.names : callee.row, at: around)
    }
    if scope.isOverride { graph.add(callee.row, at: kind.anywhere) }
    // Nothing around an included row is seen, but with `true` for a value the cell is a partial around the outlet.
    var next = scope.isInclude ? frame.outer.flatMap { frames[$0].outer } : frame.outer
    while let outer = next, !graph.isTooLarge {
      graph.add(callee.around, at: frames[outer].vertex)
      next = frames[outer].outer
    }
    graph.add(callee.around, at: kind.around)
  }

  /// Any cell may be called here.
  private mutating func callAnything(_ scope: Scope, _ graph: inout ReadNames) {
    let frame = frames[scope.frame]
    graph.setWhole(frame.vertex)
    if let around = vertexAround(scope.frame, &graph) { graph.setWhole(around) }
    if scope.isOverride { graph.setWhole(kind.anywhere) }
    if scope.isInclude { return }
    var next = frame.outer
    while let outer = next, !graph.isTooLarge {
      graph.setWhole(frames[outer].vertex)
      next = frames[outer].outer
    }
    graph.setWhole(kind.around)
  }
}
