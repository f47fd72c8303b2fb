import CellTemplates

/// Attributes of outlets: what the outlet's value, or its members, print, set or remove.
extension Renderer {
  /// Prints or drops an attribute depending on the innermost outlet's value. Returns nil if the attribute
  /// stays as designed.
  @inline(never)
  mutating func bind(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor? {
    let entry = tables.binds + Int(step.pointee.entry)
    let outlet = stack.outlets.top
    switch outlet.content {
    case .object:
      let name = entry.pointee.name
      guard name != noIndex, let own = try member(name, slot: step.pointee.slot, of: outlet.value.raw) else {
        return nil
      }
      return try bind(entry, toKey: own, at: cursor, &output, &stack.scratch)
    case .scalar where entry.pointee.takesScalar == 1:
      return try print(entry, outlet.value, at: cursor, &output, &stack.scratch)
    case .empty where entry.pointee.takesScalar == 1: return cursor
    case .designed where entry.pointee.takesChoice == 1:
      return try mark(entry, tape.isTruthy(outlet.value), at: cursor, &output)
    case .scalar, .designed, .missing, .blank, .empty, .data:
      return nil
    }
  }

  private mutating func bind(
    _ entry: UnsafePointer<BindEntry>, toKey node: UInt32, at cursor: OutputCursor,
    _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    let form = entry.pointee.verifiedForm
    if case .boolean = form { return try mark(entry, tape.isTruthy(node), at: cursor, &output) }
    switch tape.kind(node) {
    case .true: return nil
    case .null, .false: return cursor
    case .array:
      guard case .classList = form else { break }
      return try printWords(of: node, entry, at: cursor, &output, &scratch)
    default: break
    }
    return try print(entry, RenderValue(node: node), at: cursor, &output, &scratch)
  }

  /// Appends a boolean attribute if it is set.
  private mutating func mark(
    _ entry: UnsafePointer<BindEntry>, _ isThere: Bool, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    if isThere { try append(entry.pointee.opening, at: &cursor, &output) }
    return cursor
  }

  private mutating func print(
    _ entry: UnsafePointer<BindEntry>, _ value: RenderValue, at cursor: OutputCursor,
    _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    try append(entry.pointee.opening, at: &cursor, &output)
    cursor = try print(value, through: entry.pointee.verifiedEscaper, at: cursor, &output, &scratch)
    try endAttribute(at: &cursor, &output)
    return cursor
  }

  /// Appends the closing quote of an attribute, now or after its long value.
  private mutating func endAttribute(
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    if let long {
      long.endsWithQuote = true
    } else {
      try append(byte: UInt8(ascii: "\""), at: &cursor, &output)
    }
  }

  /// Prints the strings and numbers of a list and its nested lists, separated by spaces.
  private mutating func printWords(
    of list: UInt32, _ entry: UnsafePointer<BindEntry>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    try append(entry.pointee.opening, at: &cursor, &output)
    var words = ClassWords(escaper: entry.pointee.verifiedEscaper, next: list + 1, end: tape.end(list))
    while long == nil, let word = try nextWord(of: &words) {
      if !words.isFirst { try append(byte: UInt8(ascii: " "), at: &cursor, &output) }
      words.isFirst = false
      cursor = try print(RenderValue(node: word), through: words.escaper, at: cursor, &output, &scratch)
      if let long {
        long.words = words
      } else if isPauseDue {
        begin(LongValue(words))
      }
    }
    try endAttribute(at: &cursor, &output)
    return cursor
  }
}
