import CellTemplates

/// Outlets: elements that a value fills, repeats or removes, and attributes that it sets.
///
/// The steps of one outlet are `outlet`, its start tag with a `bind` for each attribute that may be set,
/// `outletContent` unless it is void, its end tag, `outletEnd`; so the innermost outlet at each of them is its own.
extension Renderer {
  // MARK: The element

  /// Appends the whole element of an outlet that a string fills, where nothing but the string is new in it; false, and
  /// nothing is appended, for every other. Most outlets are such, and need no frame.
  ///
  /// - Parameters:
  ///   - step: the `outlet`; `place` is its index.
  @inline(never)
  mutating func appendPlainOutlet(
    _ step: UnsafePointer<Op>, at place: Int, to output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    // Behind a start tag without `bind`s or values; its end tag is the literal of the `outletEnd` it jumps to. There is
    // a step behind every `outlet`: its end.
    let content = step + 1
    guard case .outletContent = content.pointee.verifiedCode, content.pointee.b == step.pointee.b &- 1,
      stack.blindness == 0
    else { return false }
    let entry = archive.outlets.base + Int(step.pointee.a)
    guard case .html = entry.pointee.verifiedEscaper, entry.pointee.startsWithNewline == 0 else { return false }
    let value = findOutlet(paths + Int(entry.pointee.path), slot: step.pointee.c, in: &stack.frames)
    guard value.isNode, tape.kind(value.raw) == .string else { return false }
    let bytes = tape.bytes(value.raw)
    if output.count &+ bytes.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    let start = content.pointee.literal
    output.appendPadded(literals + Int(start.offset), count: Int(start.count))
    let clean = output.appendClean(bytes)
    if clean < bytes.count {
      output.append(UnsafeRawBufferPointer(rebasing: bytes[clean...]), through: .html, in: archive)
    }
    let end = (step + (Int(step.pointee.b) &- 1 &- place)).pointee.literal
    output.appendPadded(literals + Int(end.offset), count: Int(end.count))
    return true
  }

  /// Looks an outlet up and begins its element; false, and nothing is begun, where it is left out.
  @inline(never)
  mutating func enterOutlet(
    _ entry: OutletEntry, slot: UInt32, outputCount: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let path = paths[Int(entry.path)]
    let value =
      stack.blindness > 0 ? .missing : findOutlet(paths + Int(entry.path), slot: slot, in: &stack.frames)
    if value.isMissing {
      if limits.missing == .error, entry.holdsOutlets == 0 { noteMissing(path, &stack) }
      stack.blindness += 1
      stack.outlets.append(OutletFrame(content: .missing, pushes: false, value: value))
      return true
    }
    if case .data = entry.verifiedForm {
      stack.outlets.append(OutletFrame(content: .data, pushes: false, value: value))
      return true
    }
    if value.isNode, tape.kind(value.raw) == .array {
      var frame = OutletFrame(content: .designed, pushes: false, value: value)
      frame.end = tape.end(value.raw)
      frame.next = try item(from: value.raw + 1, before: frame.end, outputCount)
      return try enterNextItem(of: &frame, entry, outputCount, &stack)
    }
    var frame = OutletFrame(content: .designed, pushes: false, value: value)
    return enter(&frame, entry, place: nil, &stack)
  }

  /// Ends an outlet's element; true where it begins again, with the next item.
  @inline(never)
  mutating func leaveOutlet(
    _ entry: OutletEntry, outputCount: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    guard var frame = stack.outlets.popLast() else { preconditionFailure("the verifier has seen its outlet") }
    if frame.pushes { stack.frames.pop() }
    if frame.content == .missing { stack.blindness -= 1 }
    return try enterNextItem(of: &frame, entry, outputCount, &stack)
  }

  /// Begins the element with the next item that is not left out; false where there is none.
  private mutating func enterNextItem(
    of frame: inout OutletFrame, _ entry: OutletEntry, _ outputCount: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    while frame.next < frame.end {
      try spend(outputCount)
      frame.value = RenderValue(node: frame.next)
      frame.next = try item(from: tape.end(frame.next), before: frame.end, outputCount)
      let index = frame.index
      frame.index += 1
      // Frames tell the last item by their count alone; how many items the lists in a list hold is not counted.
      let count = frame.next < frame.end ? noIndex : index + 1
      if enter(&frame, entry, place: (index, count), &stack) { return true }
    }
    return false
  }

  /// The first node from `node` on that is no list: a list in a list stands for its items, which follow it at once.
  private mutating func item(
    from node: UInt32, before end: UInt32, _ outputCount: Int
  ) throws(RenderFault) -> UInt32 {
    var node = node
    while node < end, tape.kind(node) == .array {
      try spend(outputCount)
      node += 1
    }
    return node
  }

  /// Begins the element with the frame's value, which is no list; false where it is left out.
  /// - Parameter place: of an item, its place and the number that tells whether it is the last.
  private func enter(
    _ frame: inout OutletFrame, _ entry: OutletEntry, place: (index: UInt32, count: UInt32)?,
    _ stack: inout RenderStack
  ) -> Bool {
    let isChoice = entry.verifiedForm == .choice
    switch outletKind(frame.value) {
    case .nothing where !isChoice: return false
    case .nothing, .truth: frame.content = .designed
    case .scalar: frame.content = .scalar
    case .object: frame.content = .object
    }
    // What is as designed keeps the context around it; of a list, it still knows its place.
    let isDesigned = frame.content == .designed
    frame.pushes = !isDesigned || place != nil
    if frame.pushes {
      let value = isDesigned ? stack.frames.top.value : frame.value
      stack.frames.push(
        Frame(value: value, index: place?.index ?? noIndex, count: place?.count ?? 0),
        isScope: frame.content == .object)
    }
    stack.outlets.append(frame)
    return true
  }

  private enum OutletKind {
    /// `null` and `false`.
    case nothing
    case truth
    case scalar
    case object
  }

  /// What a value that is no list, and there, is to an outlet.
  private func outletKind(_ value: RenderValue) -> OutletKind {
    guard value.isNode else { return value.loopNumber != nil ? .scalar : value.isTrue ? .truth : .nothing }
    switch tape.kind(value.raw) {
    case .null, .false: return .nothing
    case .true: return .truth
    case .object: return .object
    case .number, .string, .array, .key: return .scalar
    }
  }

  // MARK: Looking up

  /// What an outlet's path finds: its first name in the innermost object alone, or the request's owner.
  private mutating func findOutlet(
    _ path: UnsafePointer<PathEntry>, slot: UInt32, in frames: inout FrameStack
  ) -> RenderValue {
    if case .item = path.pointee.verifiedRoot { return frames.top.value }
    let name = path.pointee.name
    let first: UInt32?
    if name == ReservedName.owner {
      first = context.owner
    } else if frames.scopeCount == 0 {
      // The row, if it is an object, is the innermost.
      let place = rowNames[Int(name)]
      first = place.row == rowNumber ? place.value : nil
    } else {
      first = innermostObject(frames).flatMap { member(name, slot: slot, of: $0) }
    }
    guard let first else { return .missing }
    return path.pointee.segmentCount > 0
      ? findRest(path, in: RenderValue(node: first)) : RenderValue(node: first)
  }

  // MARK: Attributes

  /// Prints or drops an attribute by the innermost outlet's value; false where it stays as designed.
  @inline(never)
  mutating func bind(
    _ entry: BindEntry, slot: UInt32, to output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let outlet = stack.outlets[stack.outlets.count - 1]
    switch outlet.content {
    case .object:
      guard entry.name != noIndex, let own = member(entry.name, slot: slot, of: outlet.value.raw) else {
        return false
      }
      return try bind(entry, toKey: own, &output, &stack.scratch)
    case .scalar where entry.takesScalar == 1:
      try print(entry, outlet.value, to: &output, &stack.scratch)
      return true
    case .designed where entry.takesChoice == 1:
      if isTruthy(outlet.value) { output.append(archive.bytes(entry.opening)) }
      return true
    case .scalar, .designed, .missing, .data:
      return false
    }
  }

  private mutating func bind(
    _ entry: BindEntry, toKey node: UInt32, _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    let form = entry.verifiedForm
    if form == .boolean {
      if isTruthy(RenderValue(node: node)) { output.append(archive.bytes(entry.opening)) }
      return true
    }
    switch tape.kind(node) {
    case .true: return false
    case .null, .false: return true
    case .array where form == .classList:
      output.append(archive.bytes(entry.opening))
      try printWords(of: node, entry.verifiedEscaper, to: &output, &scratch)
      output.append(byte: UInt8(ascii: "\""))
    default: try print(entry, RenderValue(node: node), to: &output, &scratch)
    }
    return true
  }

  private func print(
    _ entry: BindEntry, _ value: RenderValue, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    output.append(archive.bytes(entry.opening))
    try print(value, entry.verifiedEscaper, to: &output, &scratch)
    output.append(byte: UInt8(ascii: "\""))
  }

  /// The strings and numbers of a list and of the lists in it, with a space between two.
  private mutating func printWords(
    of list: UInt32, _ escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    var node = list + 1
    var isFirst = true
    while node < tape.end(list) {
      try spend(output.count)
      switch tape.kind(node) {
      case .array:
        node += 1
        continue
      case .string, .number:
        if !isFirst { output.append(byte: UInt8(ascii: " ")) }
        isFirst = false
        try print(RenderValue(node: node), escaper, to: &output, &scratch)
      case .null, .false, .true, .object, .key: break
      }
      node = tape.end(node)
    }
  }

  // MARK: Content

  /// Prints what fills the innermost outlet's element, or empties it; false where the content is as designed.
  @inline(never)
  mutating func fillOutlet(
    _ entry: OutletEntry, slot: UInt32, to output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let outlet = stack.outlets[stack.outlets.count - 1]
    let escaper = entry.verifiedEscaper
    let blanks = limits.missing == .blank && entry.holdsOutlets == 0
    switch outlet.content {
    case .designed:
      return false
    case .missing:
      // A script without a value would be no JSON.
      if blanks, escaper.takesJSON { output.append("null") }
      return blanks
    case .scalar, .data:
      if entry.startsWithNewline == 1 { output.append(byte: UInt8(ascii: "\n")) }
      try print(outlet.value, escaper, to: &output, &stack.scratch)
      return true
    case .object:
      guard entry.textName != noIndex else { return false }
      guard let text = member(entry.textName, slot: slot, of: outlet.value.raw) else { return blanks }
      switch tape.kind(text) {
      case .true: return false
      case .null, .false: return true
      default:
        if entry.startsWithNewline == 1 { output.append(byte: UInt8(ascii: "\n")) }
        try print(RenderValue(node: text), escaper, to: &output, &stack.scratch)
        return true
      }
    }
  }

  private func print(
    _ value: RenderValue, _ escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    guard value.isNode else { return append(given: value, inContext: escaper, to: &output, &scratch) }
    if tape.kind(value.raw) == .string {
      let bytes = tape.bytes(value.raw)
      if output.count + bytes.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
      if !escaper.takesJSON { return output.append(bytes, through: escaper, in: archive) }
    }
    try append(value.raw, inContext: escaper, to: &output, &scratch)
  }
}
