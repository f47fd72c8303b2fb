import CellTemplates

/// How names find values: the rules of Mustache's context stack.
extension Renderer {
  /// What a path finds. A first name is looked up from the innermost context outward, the rest in that result alone.
  @inline(__always)
  func find(_ path: PathEntry, slot: UInt32, in frames: borrowing FrameStack) -> RenderValue {
    if case .name = path.verifiedRoot {
      var value = findFirst(path.name, slot: slot, in: frames)
      if path.segmentCount > 0 { value = findRest(path, in: value) }
      return value
    }
    return findSpecial(path, in: frames)
  }

  @inline(__always)
  private func findFirst(_ name: UInt32, slot: UInt32, in frames: borrowing FrameStack) -> RenderValue {
    var depth = frames.count - 1
    while depth >= 0 {
      let value = frames[depth].value
      if value.isNode {
        switch tape.kind(value.raw) {
        case .object:
          if let member = member(name, slot: slot, of: value.raw) { return RenderValue(node: member) }
        case .array:
          if let element = element(name, of: value.raw) { return RenderValue(node: element) }
        default: break
        }
      }
      depth -= 1
    }
    if name == ReservedName.owner, let owner = context.owner { return RenderValue(node: owner) }
    return .missing
  }

  @inline(__always)
  func member(_ name: UInt32, slot: UInt32, of object: UInt32) -> UInt32? {
    if slotBase == noIndex { return scope.value(named: name, in: object, on: tape) }
    let place = slots + Int(slotBase + slot)
    if let value = tape.value(named: name, in: object, expectedAt: place.pointee) { return value }
    guard let value = scope.value(named: name, in: object, on: tape) else { return nil }
    place.pointee = value - 1 - object
    return value
  }

  private func element(_ name: UInt32, of array: UInt32) -> UInt32? {
    let index = names[Int(name)].listIndex
    if index == noIndex || Int(index) >= tape.count(array) { return nil }
    return tape.element(Int(index), of: array)
  }

  func findRest(_ path: PathEntry, in first: RenderValue) -> RenderValue {
    var value = first
    for place in path.segmentStart..<path.segmentStart + path.segmentCount {
      guard value.isNode else { return .missing }
      let name = segments[Int(place)]
      let found: UInt32?
      switch tape.kind(value.raw) {
      case .object: found = scope.value(named: name, in: value.raw, on: tape)
      case .array: found = element(name, of: value.raw)
      default: found = nil
      }
      guard let found else { return .missing }
      value = RenderValue(node: found)
    }
    return value
  }

  private func findSpecial(_ path: PathEntry, in frames: borrowing FrameStack) -> RenderValue {
    if path.segmentCount > 0 { return .missing }
    if case .item = path.verifiedRoot { return frames.top.value }
    var index = UInt32(truncatingIfNeeded: context.place)
    var count = UInt32(truncatingIfNeeded: context.count)
    if let loop = frames.innermost(where: { $0.index != noIndex }) { (index, count) = (loop.index, loop.count) }
    switch path.verifiedRoot {
    case .first: return .bool(index == 0)
    case .last: return .bool(index + 1 == count)
    case .odd: return .bool(index % 2 == 1)
    case .even: return .bool(index % 2 == 0)
    case .index, .item, .name: return .number(index)
    }
  }

  /// Falsy: missing, `null`, `false`, any zero, `""`, `[]`.
  func isTruthy(_ value: RenderValue) -> Bool {
    guard value.isNode else {
      if value.isMissing { return false }
      if let number = value.loopNumber { return number != 0 }
      return value.isTrue
    }
    switch tape.kind(value.raw) {
    case .null, .false: return false
    case .true, .object: return true
    case .number: return !tape.isZero(value.raw)
    case .string: return !tape.bytes(value.raw).isEmpty
    case .array: return tape.count(value.raw) > 0
    case .key: return false
    }
  }
}
