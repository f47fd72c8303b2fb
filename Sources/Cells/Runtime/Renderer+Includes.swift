import CellTemplates

/// Included cells: `data-include`.
extension Renderer {
  /// The number of a row whose members are not recorded: they are looked up in it.
  private static var unrecorded: UInt32 { MemberIndex.noObject }

  /// Calls the cell in place of a stand-in. Beside an outlet, the outlet's value is its row. Returns the step to continue
  /// with.
  /// - Throws: if the cell cannot have such a row.
  @inline(never)
  mutating func include(
    _ step: UnsafePointer<Step>, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    let call = tables.calls + Int(step.pointee.entry)
    let isBeside = step.pointee.jump == 1
    let program = try includedProgram(call, step, isBeside: isBeside, &stack)
    try spend()
    guard let program else { return next }
    if isBeside, stack.outlets.top.content != .designed {
      let value = stack.outlets.top.value
      // A missing value was recorded by the outlet.
      guard value.isNode else { return next }
      try checkRow(value.raw, of: tables.programs[Int(program)].kind)
      enterRow(&stack)
    }
    try push(call, program: program, returnTo: next, &stack)
    overrides = -1
    return Int(tables.programs[Int(program)].opStart)
  }

  /// - Throws: if a value cannot be a row of the kind.
  private func checkRow(_ row: JSONTape.Index, of kind: UInt32) throws(RenderFault) {
    guard let fault = archive.rowUses(of: kind).fault(of: row, on: tape) else { return }
    var value: JSONKind?
    if case .notAnObject(let found) = fault { value = found }
    throw .notIncluded(kind: faultName(tables.kinds[Int(kind)].name), value, value: row)
  }

  /// The program of the cell; nil if the data names none that is allowed here.
  private mutating func includedProgram(
    _ call: UnsafePointer<CallEntry>, _ step: UnsafePointer<Step>, isBeside: Bool, _ stack: inout RenderStack
  ) throws(RenderFault) -> UInt32? {
    if call.pointee.dynamicPath == noIndex { return call.pointee.program }
    noteForeign()
    let path = tables.paths + Int(call.pointee.dynamicPath)
    let isNameless = isBeside && isNameless(stack.outlets.top, path)
    let value =
      isNameless
      ? .missing
      : try findBound(call.pointee.dynamicPath, slot: step.pointee.slot, isBeside: isBeside, &stack)
    let program = program(named: value, for: call)
    if value.isMissing, case .error = step.pointee.missing.policy(orOfRequest: limits.missing) {
      if isNameless, stack.outlets.top.value.isNode {
        let object = stack.outlets.top.value.raw
        stack.noteMissing(
          MissingName(name: faultName(path.pointee.text), object: object, isOfOwner: false))
      } else {
        // Names that do not begin in the outlet's missing value are not named after it.
        let isElsewhere =
          isBeside && !isNameless && path.pointee.root != PathEntry.Root.item.rawValue
          && stack.outlets.top.isBlind && !isInsideMissing(stack)
        noteMissing(path, isOfOwner: isOwners(path), isOfOutlet: !isElsewhere, &stack)
      }
    } else if program == nil {
      noteMissing(isDrawn: false)
    }
    return program
  }

  /// Whether a name begins in an outlet's value that has no names: a string, a number, or nothing.
  private func isNameless(_ outlet: OpenOutlet, _ path: UnsafePointer<PathEntry>) -> Bool {
    guard path.pointee.root == PathEntry.Root.name.rawValue, !isOwners(path) else { return false }
    return outlet.isBlind || (outlet.value.isNode && tape.kind(outlet.value.raw).isText)
  }

  /// Makes the value of the innermost outlet the row.
  private mutating func enterRow(_ stack: inout RenderStack) {
    let outlet = stack.outlets.top
    stack.outlets.top.isRow = true
    let isItem = outlet.end > 0
    let inner = RowContext(
      row: outlet.value.raw, index: isItem ? Int(outlet.index) - 1 : 0,
      count: isItem ? Int(outlet.count) : 1, owner: context.owner)
    let floor = stack.contexts.pushRow(outlet.value)
    stack.rows.push(RenderStack.Row(context: inner, outer: context, outerNumber: rowNumber, floor: floor))
    context = inner
    rowNumber = Self.unrecorded
  }

  /// Goes back to the row around an included cell.
  mutating func leaveRow(_ stack: inout RenderStack) {
    let row = stack.rows.pop()
    stack.contexts.popRow(row.floor)
    (context, rowNumber) = (row.outer, row.outerNumber)
  }

  /// Whether the row is that of an included cell.
  @inline(__always)
  var isIncluded: Bool { rowNumber == Self.unrecorded }
}
