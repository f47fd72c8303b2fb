import CellTemplates

/// How names are resolved: the rules of Mustache's context stack.
///
/// The functions are mutating and take the stack as `inout`, although they change only hints. This passes
/// both by address instead of copying them for each call.
extension Renderer {
  /// The value of a `value`, `section` or `inverted` path. The first name is looked up from the innermost
  /// context outward, the rest only in the result.
  @inline(__always)
  mutating func find(_ step: UnsafePointer<Step>, _ frames: inout FrameStack) -> RenderValue {
    findInRow(step, &frames)
      ?? findPath(tables.paths + Int(step.pointee.entry), slot: step.pointee.slot, in: &frames)
  }

  /// The value of a path if its first name belongs to the row and no other context can contain it, which is
  /// nearly always the case. Returns nil if the general rules are needed.
  @inline(__always)
  mutating func findInRow(_ step: UnsafePointer<Step>, _ frames: inout FrameStack) -> RenderValue? {
    if frames.scopeCount > 0 { return nil }
    let place = rowNames[Int(step.pointee.name)]
    if place.row != rowNumber { return nil }
    let member = step.pointee.member
    if member == noIndex { return RenderValue(node: place.value) }
    let hint = slots[Int(step.pointee.slot)]
    return tape.value(named: member, in: place.value, expectedAt: hint).map(RenderValue.init(node:))
  }

  @inline(never)
  mutating func findPath(
    _ path: UnsafePointer<PathEntry>, slot: UInt32, in frames: inout FrameStack
  ) -> RenderValue {
    guard case .name = path.pointee.verifiedRoot else { return findSpecial(path, in: &frames) }
    let name = path.pointee.name
    var depth = frames.scopeCount &- 1
    while depth >= 0 {
      let scope = frames.scope(depth)
      let found = tape.kind(scope) == .object ? member(name, slot: slot, of: scope) : element(name, of: scope)
      if let found { return findRest(path, in: found) }
      depth &-= 1
    }
    let place = rowNames[Int(name)]
    if place.row != rowNumber { return findOutside(path) }
    if path.pointee.segmentCount == 1, tape.kind(place.value) == .object {
      let rest = tables.segments[Int(path.pointee.segmentStart)]
      return member(rest, slot: slot, of: place.value).map(RenderValue.init(node:)) ?? .missing
    }
    return findRest(path, in: place.value)
  }

  /// Resolves a name that no object contains: an index if the row is a list, or the request's owner.
  private mutating func findOutside(_ path: UnsafePointer<PathEntry>) -> RenderValue {
    let name = path.pointee.name
    if tape.kind(context.row) == .array, let element = element(name, of: context.row) {
      return findRest(path, in: element)
    }
    if name == ReservedName.owner {
      noteForeign()
      if let owner = context.owner { return findRest(path, in: owner) }
    }
    return .missing
  }

  /// The value of an object's member. Stores its position as a hint in the slot.
  @inline(__always)
  mutating func member(_ name: UInt32, slot: UInt32, of object: UInt32) -> UInt32? {
    let place = slots + Int(slot)
    if let value = tape.value(named: name, in: object, expectedAt: place.pointee) { return value }
    guard let value = value(named: name, in: object) else { return nil }
    place.pointee = value &- 1 &- object
    return value
  }

  /// The value of an object's member at any position; the last one if the name is repeated. Asks the scope
  /// only for large objects, because each use of it is reference counted.
  private mutating func value(named name: UInt32, in object: UInt32) -> UInt32? {
    if tape.count(object) <= RowScope.smallObjectMembers { return tape.value(named: name, in: object) }
    return scope.valueInLargeObject(named: name, object, tape, turns: &turns)
  }

  private mutating func element(_ name: UInt32, of array: UInt32) -> UInt32? {
    let index = tables.names[Int(name)].listIndex
    if index == noIndex || Int(index) >= tape.count(array) { return nil }
    // Counts as if the list were walked from its start, so the cost does not depend on earlier look-ups.
    note(steps: Int(index))
    return scope.element(Int(index), of: array, on: tape)
  }

  /// The value of the rest of a path after its first name.
  mutating func findRest(_ path: UnsafePointer<PathEntry>, in first: UInt32) -> RenderValue {
    var value = first
    for place in path.pointee.segmentStart..<path.pointee.segmentStart + path.pointee.segmentCount {
      let name = tables.segments[Int(place)]
      let found: UInt32?
      switch tape.kind(value) {
      case .object: found = self.value(named: name, in: value)
      case .array: found = element(name, of: value)
      default: found = nil
      }
      guard let found else { return .missing }
      value = found
    }
    return RenderValue(node: value)
  }

  private mutating func findSpecial(_ path: UnsafePointer<PathEntry>, in frames: inout FrameStack)
    -> RenderValue
  {
    if path.pointee.segmentCount > 0 { return .missing }
    if case .item = path.pointee.verifiedRoot { return frames.top.value }
    var index = UInt32(truncatingIfNeeded: context.place)
    var count = UInt32(truncatingIfNeeded: context.count)
    if let loop = frames.innermost(where: { $0.index != noIndex }) {
      (index, count) = (loop.index, loop.count)
    } else {
      noteForeign()
    }
    switch path.pointee.verifiedRoot {
    case .first: return .bool(index == 0)
    case .last: return .bool(index + 1 == count)
    case .odd: return .bool(index % 2 == 1)
    case .even: return .bool(index % 2 == 0)
    case .index, .item, .name: return .number(index)
    }
  }

  /// The innermost object, the only one in which an outlet's names are looked up.
  mutating func innermostObject(_ frames: inout FrameStack) -> UInt32? {
    var depth = frames.scopeCount &- 1
    while depth >= 0 {
      let scope = frames.scope(depth)
      if tape.kind(scope) == .object { return scope }
      depth &-= 1
    }
    return tape.kind(context.row) == .object ? context.row : nil
  }

  /// Records a `value` path as missing, if missing names are an error.
  mutating func noteMissing(_ step: UnsafePointer<Step>, _ stack: inout RenderStack) {
    if limits.missing == .error, !step.pointee.escaper.isDiscarding {
      noteMissing(tables.paths + Int(step.pointee.entry), &stack)
    }
  }

  @inline(never)
  mutating func noteMissing(_ path: UnsafePointer<PathEntry>, _ stack: inout RenderStack) {
    stack.missingCount += 1
    if stack.missing.count < RenderStack.missingLimit {
      let name = archive.text(path.pointee.text)
      stack.missing.append(MissingName(name: name, object: innermostObject(&stack.frames)))
    }
  }

  /// False for missing values, `null`, `false`, zero in any notation, `""` and `[]`.
  @inline(__always)
  mutating func isTruthy(_ value: RenderValue) -> Bool {
    guard value.isNode else { return isTruthy(given: value) }
    switch tape.kind(value.raw) {
    case .null, .false, .key: return false
    case .true, .object: return true
    case .number: return !tape.isZero(value.raw)
    // The number of bytes of a string, or of elements of an array.
    case .string, .array: return tape.count(value.raw) > 0
    }
  }

  private mutating func isTruthy(given value: RenderValue) -> Bool {
    if value.isMissing { return false }
    if let number = value.loopNumber { return number != 0 }
    return value.isTrue
  }
}
