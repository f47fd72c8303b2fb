import CellTemplates

/// A value that is too long to print without a pause.
///
/// The renderer creates one when it finds a long value. It prints the value in parts before the row's next
/// step, and the row may pause between two parts. Objects and arrays are first written as JSON to
/// `RenderStack.scratch`.
final class LongValue {
  /// Writes the JSON; nil once it is complete, or if the value is text.
  var printer: JSONPrinter?
  /// The text to escape next, and the progress; nil once it is complete.
  var text: LongText?
  /// The string that `text` reads; nil to read the scratch buffer.
  var node: JSONTape.Index?
  /// The tokens to print after the text.
  var words: TokenWords?
  /// The items of a list to print after the text, and the format that has the words between them. The request's formats
  /// hold it.
  var list: ListItems?
  var listFormatter: OpaquePointer?
  /// How much of the text is printed, with an ellipsis after it; nil for all of it.
  var keptBytes: Int?

  static let ellipsis: StaticString = "…"
  /// Whether the value belongs to an attribute and is followed by a quote.
  var endsWithQuote = false

  init(textOf node: JSONTape.Index, through escaper: Escaper) {
    self.node = node
    text = LongText(through: escaper)
  }

  /// - Parameter printer: writes the rest of the scratch buffer; nil if it is complete.
  init(scratchThrough escaper: Escaper, madeBy printer: JSONPrinter?) {
    self.printer = printer
    text = LongText(through: escaper)
  }

  init(_ words: TokenWords) { self.words = words }

  init(_ list: ListItems, _ formatter: OpaquePointer) {
    self.list = list
    listFormatter = formatter
  }

  /// Memory in bytes, not including the scratch buffer.
  var heldBytes: Int { printer?.heldBytes ?? 0 }
}

/// The remaining strings and numbers of a list of tokens, including those in nested lists.
struct TokenWords: BitwiseCopyable {
  let escaper: Escaper
  var next: JSONTape.Index
  let end: JSONTape.Index
  var isFirst = true

  var isAtEnd: Bool { next >= end }
}

extension Renderer {
  /// The most words printed between two checks of the clock, if they are short.
  private static var wordsPerLook: Int { 256 }

  /// Starts printing a value in parts. No plan is recorded for such a row, because the length of values is
  /// not part of a row's shape.
  mutating func begin(_ value: LongValue) {
    long = value
    planner.stopRecordingLongRow()
  }

  /// Prints the long value at the cursor.
  @inline(never)
  mutating func finishLong(
    before next: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    try finishLong(before: next, into: &output, &stack)
    return self.cursor(of: &output)
  }

  /// Prints the rest of the long value, if there is one.
  /// - Parameter next: the step that follows the value.
  /// - Throws: a `RenderFault`, including `.paused`.
  mutating func finishLong(
    before next: UnsafePointer<Step>, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    guard let value = long else { return }
    while try !printPart(of: value, into: &output, &stack) {
      if output.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
      if memo.pause.isOver() { throw pause(at: next, &stack) }
    }
    long = nil
  }

  /// Prints the next part of the value. Returns true if the value is complete.
  private mutating func printPart(
    of value: LongValue, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    if let isMade = value.printer?.print(on: tape, to: &stack.scratch, work: Self.bytesPerLook) {
      if stack.scratch.count + output.count > limits.outputBytes {
        throw .outputTooLarge(limit: limits.outputBytes)
      }
      if isMade {
        value.printer = nil
        note(steps: stack.scratch.count)
      }
      return false
    }
    var source = value.node.map(tape.bytes) ?? stack.scratch.bytes
    if let kept = value.keptBytes { source = UnsafeRawBufferPointer(rebasing: source[..<kept]) }
    if let isPrinted = value.text?.appendPart(of: source, to: &output, allowing: schemes) {
      if isPrinted {
        value.text = nil
        if value.keptBytes != nil { output.append(LongValue.ellipsis) }
        value.keptBytes = nil
      }
      return false
    }
    if let list = value.list {
      value.list = nil
      try printItems(list, of: value, into: &output)
      return false
    }
    if var words = value.words {
      var workLeft = Self.bytesPerLook
      for _ in 0..<Self.wordsPerLook where value.text == nil && workLeft > 0 {
        if words.isAtEnd {
          value.words = nil
          return false
        }
        guard let word = try nextWord(of: &words) else { break }
        if !words.isFirst { output.append(byte: UInt8(ascii: " ")) }
        words.isFirst = false
        workLeft -= tape.count(word) * words.escaper.workPerByte
        if LongText.isNeeded(for: tape.count(word), through: words.escaper) {
          (value.text, value.node) = (LongText(through: words.escaper), word)
        } else {
          output.append(tape.bytes(word), through: words.escaper, allowing: schemes)
        }
      }
      value.words = words
      return false
    }
    if value.endsWithQuote { output.append(byte: UInt8(ascii: "\"")) }
    return true
  }

  /// Prints the next items of a list; `value` has what is left.
  private mutating func printItems(
    _ list: ListItems, of value: LongValue, into output: inout ByteBuffer
  ) throws(RenderFault) {
    guard let formatter = value.listFormatter else { preconditionFailure("a list has words") }
    var list = list
    var nodes = ListItems.nodesPerLook
    var workLeft = Self.bytesPerLook
    for _ in 0..<Self.wordsPerLook where value.text == nil && workLeft > 0 {
      try spend()
      let item = list.next(on: tape, &nodes)
      if item == nil, !list.isAtEnd { break }
      let words = listWords(formatter, list.index, list.itemCount, before: item)
      output.append(words, through: list.escaper, allowing: schemes)
      guard let item else { return }
      list.index += 1
      workLeft -= tape.count(item) * list.escaper.workPerByte
      if LongText.isNeeded(for: tape.count(item), through: list.escaper) {
        (value.text, value.node) = (LongText(through: list.escaper), item)
      } else {
        output.append(tape.bytes(item), through: list.escaper, allowing: schemes)
      }
    }
    value.list = list
  }

  /// Items looked through for the next token between two checks of the clock.
  private static var itemsPerLook: Int { 4096 }

  /// The next token of a list; nil at its end, or if there are none among many items.
  mutating func nextWord(of words: inout TokenWords) throws(RenderFault) -> JSONTape.Index? {
    for _ in 0..<Self.itemsPerLook where !words.isAtEnd {
      try spend()
      let node = words.next
      words.next = tape.kind(node) == .array ? node + 1 : tape.end(node)
      if tape.isWord(node) { return node }
    }
    return nil
  }
}
