import CellTemplates

/// How names find values: the rules of Mustache's context stack.
///
/// The functions are mutating, and take the stack as `inout`, though only hints change: so both are passed by address.
/// As values they would be copied for each call.
extension Renderer {
  /// What a path finds. A first name is looked up from the innermost context outward, the rest in that result alone.
  @inline(__always)
  mutating func find(_ path: UnsafePointer<PathEntry>, slot: UInt32, in frames: inout FrameStack) -> RenderValue {
    guard case .name = path.pointee.verifiedRoot else { return findSpecial(path, in: &frames) }
    let name = path.pointee.name
    if frames.scopeCount > 0 { return findPath(path, slot: slot, in: &frames) }
    let place = rowNames[Int(name)]
    if place.row != rowNumber { return findOutside(path) }
    switch path.pointee.segmentCount {
    case 0: return RenderValue(node: place.value)
    case 1: return findMember(segments[Int(path.pointee.segmentStart)], slot: slot, of: place.value)
    default: return findRest(path, in: RenderValue(node: place.value))
    }
  }

  /// A name in what the row's own name is: the slot is its, since the row's needs none.
  @inline(__always)
  private mutating func findMember(_ name: UInt32, slot: UInt32, of value: UInt32) -> RenderValue {
    if slotBase != noIndex, tape.kind(value) == .object,
      let found = tape.value(named: name, in: value, expectedAt: slots[Int(slotBase &+ slot)])
    {
      return RenderValue(node: found)
    }
    return findMovedMember(name, slot: slot, of: value)
  }

  @inline(never)
  private mutating func findMovedMember(_ name: UInt32, slot: UInt32, of value: UInt32) -> RenderValue {
    let found: UInt32?
    switch tape.kind(value) {
    case .object: found = member(name, slot: slot, of: value)
    case .array: found = element(name, of: value)
    default: found = nil
    }
    return found.map(RenderValue.init(node:)) ?? .missing
  }

  private mutating func findPath(
    _ path: UnsafePointer<PathEntry>, slot: UInt32, in frames: inout FrameStack
  ) -> RenderValue {
    var depth = frames.scopeCount &- 1
    let name = path.pointee.name
    while depth >= 0 {
      let scope = frames.scope(depth)
      let found = tape.kind(scope) == .object ? member(name, slot: slot, of: scope) : element(name, of: scope)
      if let found { return findRest(path, in: RenderValue(node: found)) }
      depth &-= 1
    }
    let place = rowNames[Int(name)]
    return place.row == rowNumber ? findRest(path, in: RenderValue(node: place.value)) : findOutside(path)
  }

  /// A name that no object has: an index of a row that is a list, or the request's owner.
  @inline(never)
  private mutating func findOutside(_ path: UnsafePointer<PathEntry>) -> RenderValue {
    let name = path.pointee.name
    if tape.kind(context.row) == .array, let element = element(name, of: context.row) {
      return findRest(path, in: RenderValue(node: element))
    }
    if name == ReservedName.owner, let owner = context.owner { return findRest(path, in: RenderValue(node: owner)) }
    return .missing
  }

  @inline(__always)
  mutating func member(_ name: UInt32, slot: UInt32, of object: UInt32) -> UInt32? {
    if slotBase == noIndex { return scope.value(named: name, in: object, on: tape) }
    let place = slots + Int(slotBase &+ slot)
    if let value = tape.value(named: name, in: object, expectedAt: place.pointee) { return value }
    guard let value = scope.value(named: name, in: object, on: tape) else { return nil }
    place.pointee = value &- 1 &- object
    return value
  }

  private mutating func element(_ name: UInt32, of array: UInt32) -> UInt32? {
    let index = names[Int(name)].listIndex
    if index == noIndex || Int(index) >= tape.count(array) { return nil }
    return tape.element(Int(index), of: array)
  }

  mutating func findRest(_ path: UnsafePointer<PathEntry>, in first: RenderValue) -> RenderValue {
    if path.pointee.segmentCount == 0 { return first }
    var value = first
    for place in path.pointee.segmentStart..<path.pointee.segmentStart + path.pointee.segmentCount {
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

  @inline(never)
  private mutating func findSpecial(_ path: UnsafePointer<PathEntry>, in frames: inout FrameStack) -> RenderValue {
    if path.pointee.segmentCount > 0 { return .missing }
    if case .item = path.pointee.verifiedRoot { return frames.top.value }
    var index = UInt32(truncatingIfNeeded: context.place)
    var count = UInt32(truncatingIfNeeded: context.count)
    if let loop = frames.innermost(where: { $0.index != noIndex }) { (index, count) = (loop.index, loop.count) }
    switch path.pointee.verifiedRoot {
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
