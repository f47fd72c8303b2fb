import CellTemplates

/// A value that takes longer to print than a row may take at a stretch.
///
/// The renderer makes one where a value turns out to be long. It prints it before the row's next step, in parts, and the
/// row may pause between two of them. Of an object or array JSON is made first, in `RenderStack.scratch`.
final class LongValue {
  // Unchecked, all: one renderer has hold of a value, and no access calls out.
  /// Makes the JSON; nil when that is done, or where there is a text from the start.
  @exclusivity(unchecked) var printer: JSONPrinter?
  /// What is escaped next, and how far; nil when that is done.
  @exclusivity(unchecked) var text: LongText?
  /// The string that `text` goes through; nil: what the scratch holds.
  @exclusivity(unchecked) var node: JSONTape.Index?
  /// Items of a class list that are printed after that.
  @exclusivity(unchecked) var words: ClassWords?
  /// The value is an attribute's: a quote ends it.
  @exclusivity(unchecked) var endsWithQuote = false

  init(textOf node: JSONTape.Index, through escaper: Escaper) {
    self.node = node
    text = LongText(through: escaper)
  }

  /// - Parameter printer: what makes the rest of the scratch; nil where the scratch is complete.
  init(scratchThrough escaper: Escaper, madeBy printer: JSONPrinter?) {
    self.printer = printer
    text = LongText(through: escaper)
  }

  init(_ words: ClassWords) { self.words = words }

  /// Bytes of memory beside the scratch.
  var heldBytes: Int { printer?.heldBytes ?? 0 }
}

/// The strings and numbers of a class list, and of the lists in it, that are still to be printed.
struct ClassWords: BitwiseCopyable {
  let escaper: Escaper
  var next: JSONTape.Index
  let end: JSONTape.Index
  var isFirst = true
}

extension Renderer {
  /// Bytes of JSON that are made between two looks at the clock; and words that are printed.
  private static var bytesPerLook: Int { 64 << 10 }
  private static var wordsPerLook: Int { 256 }

  /// Prints a value in parts from now on. A row with such a value is none to learn from: how long its values are is no part
  /// of a row's shape.
  mutating func begin(_ value: LongValue) {
    long = value
    isRecording = false
  }

  /// Prints the long value from the cursor on.
  @inline(never)
  mutating func finishLong(
    before next: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    try finishLong(before: next, into: &output, &stack)
    return self.cursor(of: &output)
  }

  /// Prints what is left of the long value, if there is one.
  /// - Parameter next: the step that follows.
  /// - Throws: `.paused`, too.
  mutating func finishLong(
    before next: UnsafePointer<Step>, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    guard let value = long else { return }
    while try !printPart(of: value, into: &output, &stack) {
      if output.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
      if scope.pause.isOver() { throw pause(at: next, &stack) }
    }
    long = nil
  }

  /// Returns true when the value is complete.
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
    let source = value.node.map(tape.bytes) ?? stack.scratch.bytes
    if let isPrinted = value.text?.appendPart(of: source, to: &output, allowing: schemes) {
      if isPrinted { value.text = nil }
      return false
    }
    if var words = value.words {
      for _ in 0..<Self.wordsPerLook where value.text == nil {
        guard let word = try nextWord(of: &words) else {
          value.words = nil
          return false
        }
        if !words.isFirst { output.append(byte: UInt8(ascii: " ")) }
        words.isFirst = false
        if tape.count(word) > LongText.leastBytes {
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

  /// The next string or number of a class list; nil at its end.
  mutating func nextWord(of words: inout ClassWords) throws(RenderFault) -> JSONTape.Index? {
    while words.next < words.end {
      try spend()
      let node = words.next
      switch tape.kind(node) {
      case .array:
        words.next = node + 1
      case .string, .number:
        words.next = tape.end(node)
        return node
      case .null, .false, .true, .object, .key:
        words.next = tape.end(node)
      }
    }
    return nil
  }
}
