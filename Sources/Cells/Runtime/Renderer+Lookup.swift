import CRowPlan
import CellTemplates

/// How the renderer looks up names: by the rules of `MemberLookup`, with hints, and at once where only the row
/// can contain the name.
extension Renderer: MemberLookup {
  var steps: UnsafePointer<Step> { tables.steps }
  var literals: UnsafePointer<UInt8> { tables.literals }
  var schemes: AllowedSchemes { tables.schemes }
  var names: UnsafePointer<NameEntry> { tables.names }
  var segments: UnsafePointer<UInt32> { tables.segments }
  var lookups: LookupMemo { memo.lookups }
  var conditions: Conditions { planner.terms.conditions }
  var localeTexts: (tag: String, direction: String) { formats?.locale.texts ?? ("", "") }

  func path(_ number: UInt32) -> UnsafePointer<PathEntry> { tables.paths + Int(number) }

  mutating func noteComparison(
    _ condition: UInt32, _ value: JSONTape.Index, _ other: JSONTape.Index?, holds: Bool
  ) {
    guard planner.isRecording else { return }
    planner.note(Guard(condition: condition, value: value, other: other, holds: holds))
  }

  mutating func noteLongText() { planner.stopRecordingLongRow() }

  /// Whether the condition of a step holds. Inside outlets without values, paths find nothing.
  @inline(never)
  mutating func holds(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let (entry, slot) = (step.pointee.entry, step.pointee.slot)
    if stack.blindness > 0 { return try holds(entry, for: .missing, slot: slot, in: &stack.contexts) }
    if lookups.pausedCondition == nil, let value = findInRow(step, &stack.contexts) {
      return try holds(entry, for: value, slot: slot, in: &stack.contexts)
    }
    return try holds(entry, slot: slot, in: &stack.contexts)
  }

  /// Whether a section about a plural is printed.
  mutating func holdsPlural(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let (entry, slot) = (step.pointee.entry, step.pointee.slot)
    let path = tables.paths + Int(conditions.rows[Int(entry)].path)
    let value =
      if let value = findInRow(step, &stack.contexts) {
        value
      } else {
        try findPath(path, slot: slot, in: &stack.contexts)
      }
    return try holds(entry, for: value, slot: slot, in: &stack.contexts)
  }

  /// Same, for a condition about an attribute of an element with an outlet.
  mutating func holdsBeside(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let path = tables.paths + Int(conditions.rows[Int(step.pointee.entry)].path)
    // The value beside the condition is known, whatever is around.
    let isBlind = isInsideMissing(stack)
    if isBlind, path.pointee.root != PathEntry.Root.item.rawValue {
      return try holds(step.pointee.entry, for: .missing, slot: step.pointee.slot, in: &stack.contexts)
    }
    enterAttribute(&stack)
    defer { stack.contexts.leaveAttribute() }
    return try holds(step.pointee.entry, slot: step.pointee.slot, isBlind: isBlind, in: &stack.contexts)
  }

  /// The value of the path of an attribute.
  /// - Parameter isBeside: whether the element has an outlet: the path then starts in its value if that is an object,
  ///   and `.` is the value. An item of a list that is no object has no names.
  mutating func findBound(
    _ path: UInt32, slot: UInt32, isBeside: Bool, _ stack: inout RenderStack
  ) throws(RenderFault) -> RenderValue {
    let path = tables.paths + Int(path)
    guard isBeside else {
      return stack.blindness > 0 ? .missing : try findOutletPath(path, slot: slot, in: &stack.contexts)
    }
    if isInsideMissing(stack), path.pointee.root != PathEntry.Root.item.rawValue { return .missing }
    enterAttribute(&stack)
    defer { stack.contexts.leaveAttribute() }
    return try findOutletPath(path, slot: slot, in: &stack.contexts)
  }

  /// Whether the innermost outlet is inside of one without a value, where names find nothing.
  func isInsideMissing(_ stack: borrowing RenderStack) -> Bool {
    stack.blindness > (stack.outlets.top.isBlind ? 1 : 0)
  }

  private func enterAttribute(_ stack: inout RenderStack) {
    let outlet = stack.outlets.top
    stack.contexts.enterAttribute(
      of: outlet.value, hidesNames: outlet.end > 0 && outlet.content != .object)
  }

  /// The value of a `value`, `section` or `inverted` path.
  /// - Throws: `.paused`, like all that looks up names.
  @inline(__always)
  mutating func find(
    _ step: UnsafePointer<Step>, _ contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    if let value = findInRow(step, &contexts) { return value }
    return try findPath(tables.paths + Int(step.pointee.entry), slot: step.pointee.slot, in: &contexts)
  }

  /// The value of an outlet.
  @inline(__always)
  mutating func findOutlet(
    _ step: UnsafePointer<Step>, _ contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    // If there is no scope, the innermost object is the row.
    if let value = findInRow(step, &contexts) { return value }
    return try findOutletOutsideRow(step, &contexts)
  }

  @inline(never)
  private mutating func findOutletOutsideRow(
    _ step: UnsafePointer<Step>, _ contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    let path = tables.paths + Int(tables.outlets[Int(step.pointee.entry)].path)
    return try findOutletPath(path, slot: step.pointee.slot, in: &contexts)
  }

  /// The value of a path if its first name belongs to the row and no other context can contain it, which is
  /// nearly always the case. Returns nil if the general rules are needed.
  @inline(__always)
  private mutating func findInRow(
    _ step: UnsafePointer<Step>, _ contexts: inout ContextStack
  ) -> RenderValue? {
    if contexts.scopeCount > 0 { return nil }
    let entry = rowMembers[Int(step.pointee.name)]
    if entry.object != rowNumber { return nil }
    let member = step.pointee.member
    if member == noIndex { return RenderValue(node: entry.value) }
    let hint = slots[Int(step.pointee.slot)]
    return tape.value(named: member, in: entry.value, expectedAt: hint).map(RenderValue.init(node:))
  }

  @inline(__always)
  mutating func rowMember(_ name: UInt32) throws(RenderFault) -> JSONTape.Index? {
    let entry = rowMembers[Int(name)]
    if entry.object == rowNumber { return entry.value }
    return isIncluded ? try value(named: name, in: context.row) : nil
  }

  /// The value of an object's member. Stores its position as a hint in the slot.
  @inline(__always)
  mutating func member(
    _ name: UInt32, slot: UInt32, of object: UInt32
  ) throws(RenderFault) -> UInt32? {
    let hint = slots + Int(slot)
    if let value = tape.value(named: name, in: object, expectedAt: hint.pointee) { return value }
    guard let value = try value(named: name, in: object) else { return nil }
    hint.pointee = value &- 1 &- object
    return value
  }

  /// Whether a look-up of much work must pause.
  mutating func isTimeOver() -> Bool { memo.pause.isOver() }

  /// Records a `value` path as missing, if that is an error.
  mutating func noteMissing(_ step: UnsafePointer<Step>, _ stack: inout RenderStack) {
    if step.pointee.missing.policy(orOfRequest: limits.missing) == .error,
      !step.pointee.escaper.isDiscarding
    {
      let path = tables.paths + Int(step.pointee.entry)
      noteMissing(path, isOfOwner: isLookedUpInOwner(path), isOfOutlet: false, &stack)
    }
  }

  /// Whether a name that has just been looked up outward ends at the request's owner.
  private func isLookedUpInOwner(_ path: UnsafePointer<PathEntry>) -> Bool {
    isOwners(path) && isInOwner && rowMembers[Int(RequestName.owner)].object != rowNumber
  }

  /// Whether there is an owner, and a name starts with it.
  func isOwners(_ path: UnsafePointer<PathEntry>) -> Bool {
    path.pointee.root == PathEntry.Root.name.rawValue && path.pointee.name == RequestName.owner
      && context.owner != nil
  }

  /// Counts an outlet that has found nothing.
  func noteMissing(isDrawn: Bool) {
    memo.tally.missing &+= 1
    if isDrawn { memo.tally.drawn &+= 1 }
  }

  /// The work of recording a name, as steps.
  private static var stepsPerName: Int { 8 }

  /// Records a name that has no value where that is an error.
  /// - Parameter isOfOutlet: whether it is the name of an outlet: the names of outlets around it that have no value come
  ///   first.
  @inline(never)
  mutating func noteMissing(
    _ path: UnsafePointer<PathEntry>, isOfOwner: Bool, isOfOutlet: Bool, _ stack: inout RenderStack
  ) {
    if !stack.keepsMissing {
      stack.countMissing()
    } else {
      // A name may be joined of those of all outlets around it.
      note(steps: Self.stepsPerName * (1 + stack.outlets.count))
      lookSoon()
      let isInside = isOfOutlet && path.pointee.root != PathEntry.Root.row.rawValue
      var object = objectAround(path, &stack)
      var isOfOwner = isOfOwner
      if isInside, let first = firstBlind(stack.outlets) {
        let outer = stack.outlets[first]
        object = outer.object == noIndex ? nil : outer.object
        isOfOwner = isOwners(tables.paths + Int(outer.path))
      }
      let name = isInside ? missingName(path, stack.outlets) : self.name(of: path)
      stack.noteMissing(MissingName(name: name, object: object, isOfOwner: isOfOwner))
    }
  }

  /// The object that a path is looked up in first, or the row of an included cell, whatever it is; nil if there is none.
  mutating func objectAround(
    _ path: UnsafePointer<PathEntry>, _ stack: inout RenderStack
  ) -> JSONTape.Index? {
    let found =
      path.pointee.root != PathEntry.Root.row.rawValue
      ? innermostObject(&stack.contexts) : tape.kind(context.row) == .object ? context.row : nil
    return found ?? (isIncluded ? context.row : nil)
  }

  /// The most bytes of a name that a fault has: each of many rows may have one.
  private static var faultNameBytes: Int { 1 << 10 }

  /// A name of the archive as a fault has it: of a long one, the beginning.
  func faultName(_ name: LiteralRef) -> String {
    String(decoding: archive.bytes(name).prefix(Self.faultNameBytes), as: UTF8.self)
  }

  /// A path as a message names it: one that begins at the row, without `@row`.
  private func name(of path: UnsafePointer<PathEntry>) -> String {
    let text = faultName(path.pointee.text)
    if path.pointee.root != PathEntry.Root.row.rawValue { return text }
    return String(text.drop { $0 != "." }.dropFirst())
  }

  /// The outlet without a value that those inside are named after: the innermost whose path begins at the row, or the
  /// outermost.
  private func firstBlind(_ outlets: borrowing TrivialStack<OpenOutlet>) -> Int? {
    var first: Int?
    for index in 0..<outlets.count where outlets[index].isBlind {
      let isOfRow = tables.paths[Int(outlets[index].path)].root == PathEntry.Root.row.rawValue
      if first == nil || isOfRow { first = index }
    }
    return first
  }

  /// The name of an outlet's path, after those of the outlets around it that have no value.
  private func missingName(_ path: UnsafePointer<PathEntry>, _ outlets: borrowing TrivialStack<OpenOutlet>)
    -> String
  {
    let own = faultName(path.pointee.text)
    var names: [String] = []
    for index in (firstBlind(outlets) ?? 0)..<outlets.count where outlets[index].isBlind {
      names.append(name(of: tables.paths + Int(outlets[index].path)))
    }
    names.append(own)
    // `.` is the value around it and has no name.
    let named = names.filter { $0 != "." }
    return named.isEmpty ? own : named.joined(separator: ".")
  }
}
