import CFormats
import CellTemplates

/// Texts that `truncate` cuts.
extension Renderer {
  /// Prints the first characters of a text.
  /// - Returns: nil if the value is no text.
  mutating func cut(
    _ value: RenderValue, _ format: UInt32, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if value.isText || value.loopNumber != nil {
      return try cutGiven(
        value, Int(formats.entry(format).pointee.characters), through: escaper, at: cursor, &output, &scratch)
    }
    guard isText(value) else { return nil }
    let text = text(of: value.raw)
    let (kept, read) = try keptBytes(of: text, most: Int(formats.entry(format).pointee.characters))
    lookAfter(reading: text.count)
    if kept == text.count {
      shownAs = PlanRecorder.ShownAs(number: format, isPrintedInC: false)
      defer { shownAs = nil }
      return try print(value, through: escaper, at: cursor, &output, &scratch)
    }
    if LongText.isNeeded(for: kept, through: escaper) {
      note(steps: read)
      let long = LongValue(textOf: value.raw, through: escaper)
      long.keptBytes = kept
      begin(long)
      return cursor
    }
    output.setEnd(cursor.target)
    let (offset, iterationsBefore) = (output.count, iterations)
    // What is dropped was read, too.
    note(steps: read - kept)
    try append(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<kept]), through: escaper, to: &output)
    output.append(LongValue.ellipsis)
    let end = self.cursor(of: &output)
    if planner.isRecording {
      planner.note(
        value, escaper, PlanRecorder.ShownAs(number: format, isPrintedInC: false), at: offset..<output.count,
        iterations: iterations - iterationsBefore)
    }
    return end
  }

  /// Prints a short value that is not in the data.
  private mutating func cutGiven(
    _ value: RenderValue, _ characters: Int, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    let text = value.loopNumber.map { Array(String($0).utf8) } ?? localeText(value)
    var kept = 0
    var reading = cf_truncation()
    let isRead = cf_truncate(&reading, text, text.count, characters, &kept)
    if !isRead || kept == text.count {
      return try print(value, through: escaper, at: cursor, &output, &scratch)
    }
    noteForeign()
    output.setEnd(cursor.target)
    scratch.truncate(to: 0)
    scratch.append(Array(text[..<kept]))
    try append(scratch.bytes, through: escaper, to: &output)
    output.append(LongValue.ellipsis)
    return self.cursor(of: &output)
  }

  /// How many bytes of a text are printed if it is cut, and how many were read for that.
  /// - Throws: `.paused`.
  private mutating func keptBytes(of text: UnsafeBufferPointer<UInt8>, most characters: Int)
    throws(RenderFault)
    -> (kept: Int, read: Int)
  {
    guard let start = text.baseAddress else { return (0, 0) }
    var reading = cf_truncation()
    if case .cut(let paused)? = takePausedReading() { reading = paused }
    var kept = 0
    while !cf_truncate(&reading, start, text.count, characters, &kept) {
      if memo.pause.isOver() { throw pause(.cut(reading)) }
    }
    return (kept, max(kept, Int(reading.at)))
  }
}
