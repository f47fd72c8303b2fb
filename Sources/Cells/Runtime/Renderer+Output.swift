import CMarkup
import CellTemplates

/// How literals and values reach the output: through a cursor as long as there is room.
extension Renderer {
  /// Bytes of output between two looks at the clock.
  private static var bytesPerLook: Int { 64 << 10 }

  /// Where to write on. What it leads to ends where the clock is looked at.
  /// - Parameter count: bytes that follow, whatever the clock says.
  @inline(__always)
  func cursor(of output: inout ByteBuffer, for count: Int = 0) -> OutputCursor {
    output.cursor(limit: min(limits.outputBytes, output.count &+ count &+ Self.bytesPerLook))
  }

  @inline(__always)
  mutating func append(
    _ literal: LiteralRef, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    try append(literals + Int(literal.offset), count: Int(literal.count), at: &cursor, &output)
  }

  /// Appends bytes as they are; behind them there is padding.
  @inline(__always)
  mutating func append(
    _ start: UnsafeRawPointer, count: Int, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    if count > cursor.room { cursor = try makeRoom(for: count, at: cursor, &output) }
    cursor.copy(start, count: count)
  }

  mutating func append(
    byte: UInt8, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    if cursor.room < 1 { cursor = try makeRoom(for: 1, at: cursor, &output) }
    cursor.append(byte)
  }

  /// Appends a string or number through a function of `CMarkup`, the escaper's own.
  @inline(__always)
  mutating func append(
    textOf node: UInt32, through escaper: Escaper, _ escape: TextEscapers.Function,
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let (place, turnsBefore) = (output.place(of: cursor), turns)
    if escaper.isMarkup {
      try appendMarkup(textOf: node, through: escaper, at: &cursor, &output)
    } else {
      // A node's text lies in the body, behind which there is padding.
      let (start, count) = (tape.start(node), tape.count(node))
      if count > cursor.room { cursor = try makeRoom(for: count, at: cursor, &output) }
      try append(start, count: count, through: escaper, escape, at: &cursor, &output)
    }
    if isRecording { record(RenderValue(node: node), escaper, from: place, to: cursor, turnsBefore, &output) }
  }

  /// Tells the recorder what was printed, and where.
  @inline(never)
  private mutating func record(
    _ value: RenderValue, _ escaper: Escaper, from place: Int, to cursor: OutputCursor, _ turnsBefore: Int,
    _ output: inout ByteBuffer
  ) {
    shelf.recorder.note(value, escaper, at: place..<output.place(of: cursor), turns: turns - turnsBefore)
  }

  /// Appends a string or number through an escaper that replaces characters of markup alone.
  @inline(__always)
  mutating func appendMarkup(
    textOf node: UInt32, through escaper: Escaper, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let (start, count) = (tape.start(node), tape.count(node))
    if count > cursor.room { cursor = try makeRoom(for: count, at: cursor, &output) }
    if count <= 16 {
      // Numbers, names and dates: not worth a call. What lies behind the end is shifted out.
      cursor.target.storeBytes(
        of: UnsafeRawPointer(start).loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      if cf_attribute_doubt_mask(start) &<< UInt32(truncatingIfNeeded: 32 &- count) == 0 {
        cursor.advance(to: cursor.target + count)
        return
      }
    }
    guard let escape = escapers[Int(escaper.index)] else { preconditionFailure("markup has an escaper in C") }
    try append(start, count: count, through: escaper, escape, at: &cursor, &output)
  }

  /// Appends `count` bytes of text, for which as they are there is room.
  @inline(__always)
  private mutating func append(
    _ start: UnsafePointer<UInt8>, count: Int, through escaper: Escaper, _ escape: TextEscapers.Function,
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let end = start + count
    let progress = escape(cursor.bytes, cursor.byteLimit, start, end)
    cursor.advance(to: progress.target)
    if progress.source != end {
      // There was no room for what replaces a byte, or it is a URL that must be judged.
      let isStart = progress.source == UnsafePointer(start)
      cursor = try append(
        progress.source, upTo: end, through: isStart ? escaper : escaper.continued, at: cursor, &output)
    }
  }

  /// Appends text, or what is left of it where there was no room.
  @inline(never)
  private mutating func append(
    _ start: UnsafeRawPointer, upTo end: UnsafeRawPointer, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    let rest = UnsafeRawBufferPointer(start: start, count: end - start)
    if output.count + rest.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    // A URL that is refused is read, and not printed; what is left of another text is.
    if case .url = escaper { note(steps: rest.count) }
    output.append(rest, through: escaper, allowing: schemes)
    lookAtClock(output.count)
    return self.cursor(of: &output)
  }

  /// Makes room for `count` bytes more.
  @inline(never)
  private mutating func makeRoom(
    for count: Int, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    if output.count + count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    output.reserve(count)
    lookAtClock(output.count)
    return self.cursor(of: &output, for: count)
  }

  /// Looks at the clock, if as many bytes have been printed since the last look.
  private mutating func lookAtClock(_ count: Int) {
    guard count - lookCount >= Self.bytesPerLook else { return }
    lookCount = count
    if scope.pause.isOver() { isPauseDue = true }
  }

  /// Prints any value through any escaper.
  @inline(never)
  mutating func print(
    _ value: RenderValue, through escaper: Escaper, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    if value.isNode, tape.kind(value.raw).isText, tape.count(value.raw) <= LongText.leastBytes,
      let escape = escapers[Int(escaper.index)]
    {
      var cursor = cursor
      try append(textOf: value.raw, through: escaper, escape, at: &cursor, &output)
      return cursor
    }
    output.setEnd(cursor.target)
    let (place, turnsBefore) = (output.count, turns)
    if value.isNode {
      try append(value.raw, through: escaper, to: &output, &scratch)
    } else {
      try append(given: value, through: escaper, to: &output, &scratch)
    }
    let cursor = self.cursor(of: &output)
    if isRecording { record(value, escaper, from: place, to: cursor, turnsBefore, &output) }
    return cursor
  }

  /// Appends a node that is no text, or where more than text can go.
  private mutating func append(
    _ node: UInt32, through escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    switch tape.kind(node) {
    case .null: return try append(given: .missing, through: escaper, to: &output, &scratch)
    case .true, .false: try append(tape.bytes(node), through: escaper, to: &output)
    case .number: try append(textOf: node, through: escaper, to: &output)
    case .string where !escaper.takesJSON: try append(textOf: node, through: escaper, to: &output)
    case .string, .array, .object:
      scratch.truncate(to: 0)
      // Of repeated names only the last one's value is printed.
      note(steps: Int(tape.end(node) &- node))
      var printer = JSONPrinter(node)
      let isMade = printer.print(on: tape, to: &scratch, work: LongText.leastBytes)
      if isMade, scratch.count <= LongText.leastBytes {
        try append(scratch.bytes, through: escaper, to: &output)
      } else {
        if isMade { note(steps: scratch.count) }
        begin(LongValue(scratchThrough: escaper, madeBy: isMade ? nil : printer))
      }
    case .key: preconditionFailure("a key is no value")
    }
  }

  private mutating func append(
    textOf node: UInt32, through escaper: Escaper, to output: inout ByteBuffer
  ) throws(RenderFault) {
    let count = tape.count(node)
    if count <= LongText.leastBytes { return try append(tape.bytes(node), through: escaper, to: &output) }
    if escapers[Int(escaper.index)] == nil { note(steps: count) }
    begin(LongValue(textOf: node, through: escaper))
  }

  /// Appends a value that the loop gives, or what stands where there is none.
  private mutating func append(
    given value: RenderValue, through escaper: Escaper, to output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    if value.isMissing {
      switch escaper {
      case .json: output.append("null")
      case .urlSegment, .srcsetSegment: output.append(byte: UInt8(ascii: "."))
      case .urlHost: output.append(ByteBuffer.refusedURL)
      default: return
      }
      return
    }
    scratch.truncate(to: 0)
    if let number = value.loopNumber {
      scratch.append(decimal: Int(number))
    } else {
      scratch.append(value.isTrue ? "true" : "false")
    }
    try append(scratch.bytes, through: escaper, to: &output)
  }

  /// - Parameter text: JSON for `json`; for the others the value as text.
  private mutating func append(
    _ text: UnsafeRawBufferPointer, through escaper: Escaper, to output: inout ByteBuffer
  ) throws(RenderFault) {
    if output.count + text.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    switch escaper {
    case .none:
      // It prints all it reads.
      output.append(text)
      return
    case .json: output.appendScriptJSON(text)
    default: output.append(text, through: escaper, allowing: schemes)
    }
    note(steps: text.count)
  }
}
