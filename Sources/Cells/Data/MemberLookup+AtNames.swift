import CellTemplates

/// The values of the names with `@`: those of a loop, of the row and of the request. `AtNames` has the names.
extension MemberLookup where Self: ~Copyable {
  /// The value of `.` or of a name that begins with `@`.
  mutating func findAtName(
    _ path: UnsafePointer<PathEntry>, in contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    if case .row = path.pointee.verifiedRoot { return try findRow(path) }
    if path.pointee.segmentCount > 0 { return .missing }
    if case .locale = path.pointee.verifiedRoot { return .locale }
    if case .direction = path.pointee.verifiedRoot { return .direction }
    if case .item = path.pointee.verifiedRoot { return contexts.item }
    var index = UInt32(truncatingIfNeeded: context.index)
    var count = UInt32(truncatingIfNeeded: context.count)
    let (item, looked) = contexts.innermostItem()
    if looked > 16 {
      note(steps: looked)
      lookSoon()
    }
    if let item {
      (index, count) = (item.index, item.count)
    } else {
      noteForeign()
    }
    switch path.pointee.verifiedRoot {
    case .first: return .bool(index == 0)
    case .last: return .bool(index + 1 == count)
    case .odd: return .bool(index % 2 == 1)
    case .even: return .bool(index % 2 == 0)
    case .number: return .number(index + 1)
    case .index: return .number(index)
    case .item, .name, .row, .locale, .direction: preconditionFailure("not a name of loops")
    }
  }
}

extension PathEntry {
  @inline(__always)
  var verifiedRoot: Root { verifiedCode(UInt8(truncatingIfNeeded: root)) }
}
