import CFormats
import CellTemplates

/// Lists with the words of the locale between their items.
extension Renderer {
  /// The most items printed at once; more are printed in parts.
  private static var itemsAtOnce: Int { 64 }

  /// Prints the strings and numbers of a list; `null` and false are left out.
  /// - Returns: nil if the value is no list, or has an item that is a list or an object.
  mutating func printList(
    _ value: RenderValue, _ format: UInt32, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard value.isNode, case .array = tape.kind(value.raw), let formats else { return nil }
    lookSoon(unlessReady: format, formats)
    guard let formatter = formats.formatter(format) else { return nil }
    guard let counted = try countPrintedItems(of: value.raw, through: escaper) else { return nil }
    var items = counted
    if items.itemCount > Self.itemsAtOnce || tape.count(value.raw) > ListItems.nodesPerLook {
      let long = LongValue(items, formatter)
      begin(long)
      return cursor
    }
    if formats.locale.followsItems(format) { noteForeign() }
    var cursor = cursor
    while long == nil {
      var nodes = ListItems.nodesPerLook
      let item = items.next(on: tape, &nodes)
      try appendWords(
        formatter, items.index, items.itemCount, before: item, through: escaper, at: &cursor, &output)
      guard let item else { break }
      items.index += 1
      cursor = try print(RenderValue(node: item), through: escaper, at: cursor, &output, &scratch)
      if let long {
        long.list = items
        long.listFormatter = formatter
      } else if isPauseDue {
        begin(LongValue(items, formatter))
      }
    }
    return cursor
  }

  /// The items of a list that are printed as a text, counted.
  /// - Returns: nil if one is a list or an object.
  /// - Throws: `.paused`.
  private mutating func countPrintedItems(of list: UInt32, through escaper: Escaper) throws(RenderFault)
    -> ListItems?
  {
    var items = ListItems(of: list, on: tape, through: escaper)
    if case .items(let paused)? = takePausedReading() {
      items = paused
    } else {
      note(steps: tape.count(list))
      lookSoon()
    }
    while true {
      switch items.countPart(on: tape) {
      case true?: return items
      case false?: return nil
      case nil: if memo.pause.isOver() { throw pause(.items(items)) }
      }
    }
  }

  /// Pauses before a step has printed anything, and lets it continue where it was.
  /// - Returns: the fault to throw.
  func pause(_ reading: LookupMemo.PausedReading) -> RenderFault {
    memo.lookups.pausedReading = (reading, iterations)
    memo.lookups.isUnfinished = true
    return .paused
  }

  /// Where the step that is done again continues. What its look-ups have counted again is counted once.
  mutating func takePausedReading() -> LookupMemo.PausedReading? {
    guard let paused = memo.lookups.pausedReading.take() else { return nil }
    iterations = paused.iterations
    return paused.reading
  }

  /// Cursor and output are passed apart, as in `print`.
  private mutating func appendWords(
    _ formatter: OpaquePointer, _ index: Int, _ count: Int, before item: UInt32?, through escaper: Escaper,
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    let words = listWords(formatter, index, count, before: item)
    if words.isEmpty { return }
    output.setEnd(cursor.target)
    try append(words, through: escaper, to: &output)
    cursor = self.cursor(of: &output)
  }

  /// The words before an item, or after the last.
  func listWords(_ formatter: OpaquePointer, _ index: Int, _ count: Int, before item: UInt32?)
    -> UnsafeRawBufferPointer
  {
    var next: UnsafeBufferPointer<UInt8>?
    if let item, tape.kind(item).isText { next = text(of: item) }
    let words = cf_list_words(formatter, index, count, next?.baseAddress, next?.count ?? 0)
    return UnsafeRawBufferPointer(start: words.bytes, count: words.count)
  }

  // MARK: Elements

  /// The items of an outlet's list, counted.
  /// - Throws: `.paused`.
  @inline(__always)
  mutating func countItems(of list: UInt32) throws(RenderFault) -> ItemCount {
    var items = ItemCount(of: list, on: tape)
    // Each of these few items counts as an iteration when its element is entered.
    if tape.count(list) <= ListItems.nodesPerLook {
      let met = items.countPart(on: tape)
      if items.isComplete {
        note(steps: met)
        return items
      }
    }
    return try countManyItems(of: list)
  }

  @inline(never)
  private mutating func countManyItems(of list: UInt32) throws(RenderFault) -> ItemCount {
    var items = ItemCount(of: list, on: tape)
    if case .itemCount(let paused)? = takePausedReading() {
      items = paused
    } else {
      note(steps: tape.count(list))
    }
    while !items.isComplete {
      note(steps: items.countPart(on: tape))
      if !items.isComplete, memo.pause.isOver() { throw pause(.itemCount(items)) }
    }
    return items
  }

  /// Prints the words before an item of the innermost outlet, or after the last.
  mutating func printListWords(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    let outlet = stack.outlets.top
    let isBehind = step.pointee.jump == 1
    guard outlet.elementCount > 0, !isBehind || outlet.element == outlet.elementCount, let formats,
      formats.entry(step.pointee.entry).pointee.knownKind == .list
    else { return cursor }
    lookSoon(unlessReady: step.pointee.entry, formats)
    guard let formatter = formats.formatter(step.pointee.entry) else { return cursor }
    if formats.locale.followsItems(step.pointee.entry) { noteForeign() }
    var cursor = cursor
    let index = isBehind ? outlet.element : outlet.element - 1
    let item = !isBehind && outlet.value.isNode ? outlet.value.raw : nil
    try appendWords(
      formatter, Int(index), Int(outlet.elementCount), before: item, through: .html, at: &cursor, &output)
    return cursor
  }
}
