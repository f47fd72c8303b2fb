import CEscape
import CellTemplates

/// Appends literals and values to the output, through a cursor as long as there is room.
extension Renderer {
  /// Bytes of output, or of JSON for it, between two checks of the clock.
  static var bytesPerLook: Int { 64 << 10 }

  /// A cursor at the end of the output. Its room ends where the clock must be checked.
  /// - Parameter count: the bytes that follow regardless of the clock.
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

  /// Appends bytes unchanged. They must be followed by padding.
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

  /// Appends a string or number through the escaper's function in `CEscape`.
  @inline(__always)
  mutating func append(
    textOf node: UInt32, through escaper: Escaper, _ escape: TextEscapers.Function,
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let (offset, iterationsBefore) = (output.offset(of: cursor), iterations)
    if escaper.isMarkup {
      try appendMarkup(textOf: node, through: escaper, at: &cursor, &output)
    } else {
      // The text of a node is in the body, which is followed by padding.
      let (start, count) = (tape.start(node), tape.count(node))
      if count > cursor.room { cursor = try makeRoom(for: count, at: cursor, &output) }
      try append(start, count: count, through: escaper, escape, at: &cursor, &output)
    }
    if planner.isRecording {
      record(RenderValue(node: node), escaper, from: offset, to: cursor, iterationsBefore, &output)
    }
  }

  /// Passes the printed value and its position to the recorder.
  @inline(never)
  private mutating func record(
    _ value: RenderValue, _ escaper: Escaper, from offset: Int, to cursor: OutputCursor,
    _ iterationsBefore: Int,
    _ output: inout ByteBuffer
  ) {
    let range = offset..<output.offset(of: cursor)
    if let shownAs {
      planner.note(value, escaper, shownAs, at: range, iterations: iterations - iterationsBefore)
    } else if value.isNode {
      switch tape.kind(value.raw) {
      case .null, .false, .true: planner.noteConstant(value)
      default: planner.note(value, escaper, at: range, iterations: iterations - iterationsBefore)
      }
    }
    // What is no node follows from the shape, as the numbers of loops do, or from the plan's terms.
  }

  /// Appends a string or number through an escaper that replaces only markup characters.
  @inline(__always)
  mutating func appendMarkup(
    textOf node: UInt32, through escaper: Escaper, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let (start, count) = (tape.start(node), tape.count(node))
    if count > cursor.room { cursor = try makeRoom(for: count, at: cursor, &output) }
    if count <= 16 {
      // Numbers, names and dates are not worth a call. Bytes after the end are shifted out.
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

  /// Appends `count` bytes of text. There must be room for them unescaped.
  @inline(__always)
  private mutating func append(
    _ start: UnsafePointer<UInt8>, count: Int, through escaper: Escaper, _ escape: TextEscapers.Function,
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let end = start + count
    let progress = escape(cursor.bytes, cursor.byteLimit, start, end)
    cursor.advance(to: progress.target)
    if progress.source != end {
      // There was no room for a replacement, or a URL needs to be checked.
      let isStart = progress.source == UnsafePointer(start)
      cursor = try append(
        progress.source, upTo: end, through: isStart ? escaper : escaper.continued, at: cursor, &output)
    }
  }

  /// Appends text, or the rest of it, after the room is used up.
  @inline(never)
  private mutating func append(
    _ start: UnsafeRawPointer, upTo end: UnsafeRawPointer, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    let rest = UnsafeRawBufferPointer(start: start, count: end - start)
    if output.count + rest.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    // A refused URL is read but not printed; the rest of other texts is printed.
    if case .url = escaper {
      note(steps: rest.count)
      lookAfter(reading: rest.count)
    }
    output.append(rest, through: escaper, allowing: schemes)
    lookAtClock(output.count)
    return self.cursor(of: &output)
  }

  /// Makes room for `count` more bytes.
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

  /// Checks the clock if enough bytes were printed since the last check.
  mutating func lookAtClock(_ count: Int) {
    guard count - lookCount >= Self.bytesPerLook else { return }
    lookCount = count
    if memo.pause.isOver() { setPauseDue() }
  }

  /// Checks the clock if enough bytes were read since the last check, whatever they have printed.
  @inline(__always)
  mutating func lookAfter(reading count: Int) {
    memo.unlookedBytes += count
    if memo.unlookedBytes >= Self.bytesPerLook { lookAfterReading() }
  }

  @inline(never)
  private mutating func lookAfterReading() {
    memo.unlookedBytes = 0
    if memo.pause.isOver() { setPauseDue() }
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
    let (offset, iterationsBefore) = (output.count, iterations)
    if value.isNode {
      try append(value.raw, through: escaper, to: &output, &scratch)
    } else {
      try append(given: value, through: escaper, to: &output, &scratch)
    }
    let cursor = self.cursor(of: &output)
    if planner.isRecording { record(value, escaper, from: offset, to: cursor, iterationsBefore, &output) }
    return cursor
  }

  /// Appends a node that is not text, or that goes through an escaper for JSON.
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
      // Of a repeated name, one value is printed.
      note(steps: Int(tape.end(node) &- node))
      var (printer, workLeft) = (JSONPrinter(node), LongText.leastBytes)
      let isMade = printer.print(on: tape, to: &scratch, workLeft: &workLeft)
      lookAfter(reading: LongText.leastBytes - workLeft)
      if isMade, scratch.count <= LongText.leastBytes {
        try append(scratch.bytes, through: escaper, to: &output)
      } else {
        if isMade { note(steps: scratch.count) }
        begin(LongValue(scratchThrough: escaper, madeBy: isMade ? nil : printer))
      }
    case .key: preconditionFailure("a key is not a value")
    }
  }

  private mutating func append(
    textOf node: UInt32, through escaper: Escaper, to output: inout ByteBuffer
  ) throws(RenderFault) {
    let count = tape.count(node)
    if !LongText.isNeeded(for: count, through: escaper) {
      return try append(tape.bytes(node), through: escaper, to: &output)
    }
    // The other escapers print all that they read.
    if escaper == .url || escapers[Int(escaper.index)] == nil { note(steps: count) }
    begin(LongValue(textOf: node, through: escaper))
  }

  /// Appends a loop value, or the replacement for a missing value.
  private mutating func append(
    given value: RenderValue, through escaper: Escaper, to output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    if value.isMissing || value.isNull {
      switch escaper {
      case .json: output.append("null")
      case .urlSegment, .srcsetSegment: output.append(byte: UInt8(ascii: "."))
      case .urlHost: output.append(ByteBuffer.refusedURL)
      default: return
      }
      return
    }
    scratch.truncate(to: 0)
    if value.isText {
      // Tags are letters, digits and hyphens, so that quotes make JSON of them.
      if escaper.takesJSON { scratch.append(byte: UInt8(ascii: "\"")) }
      for byte in localeText(value) { scratch.append(byte: byte) }
      if escaper.takesJSON { scratch.append(byte: UInt8(ascii: "\"")) }
    } else if let number = value.loopNumber {
      scratch.append(decimal: Int(number))
    } else {
      scratch.append(value.isTrue ? "true" : "false")
    }
    try append(scratch.bytes, through: escaper, to: &output)
  }

  /// What `@locale` or `@dir` prints.
  func localeText(_ value: RenderValue) -> [UInt8] {
    guard let formats else { return [] }
    return value == .locale ? formats.locale.tag : formats.locale.direction
  }

  /// - Parameter text: JSON for the escaper `json`; otherwise the value as text.
  mutating func append(
    _ text: UnsafeRawBufferPointer, through escaper: Escaper, to output: inout ByteBuffer
  ) throws(RenderFault) {
    if output.count + text.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    lookAfter(reading: text.count * escaper.workPerByte)
    switch escaper {
    case .none:
      // Prints everything that it reads.
      output.append(text)
      return
    case .json: output.appendScriptJSON(text)
    default: output.append(text, through: escaper, allowing: schemes)
    }
    note(steps: text.count)
  }
}
