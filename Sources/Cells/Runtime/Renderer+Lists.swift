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
    guard value.isNode, case .array = tape.kind(value.raw), let formats,
      let formatter = formats.locale.ready[Int(format)]
    else { return nil }
    var items = ListItems(of: value.raw, on: tape, through: escaper)
    note(steps: tape.count(value.raw))
    guard items.count(on: tape) else { return nil }
    if items.itemCount > Self.itemsAtOnce {
      let long = LongValue(items, formatter)
      begin(long)
      return cursor
    }
    if formats.locale.followsItems(format) { noteForeign() }
    var cursor = cursor
    while long == nil {
      let item = items.next(on: tape)
      try appendWords(
        formatter, items.index, items.itemCount, before: item, through: escaper, at: &cursor, &output)
      guard let item else { break }
      items.index += 1
      cursor = try print(RenderValue(node: item), through: escaper, at: cursor, &output, &scratch)
      if let long {
        long.list = items
        long.listFormatter = formatter
      }
    }
    return cursor
  }

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

  /// The words before an item, or behind the last.
  func listWords(_ formatter: OpaquePointer, _ index: Int, _ count: Int, before item: UInt32?)
    -> UnsafeRawBufferPointer
  {
    var next: UnsafeBufferPointer<UInt8>?
    if let item, tape.kind(item).isText { next = text(of: item) }
    let words = cf_list_words(formatter, index, count, next?.baseAddress, next?.count ?? 0)
    return UnsafeRawBufferPointer(start: words.bytes, count: words.count)
  }

  // MARK: Elements

  /// The number of elements that a list makes.
  /// - Parameter keepsNothing: whether there is an element for `null` and false, too.
  mutating func countElements(of list: UInt32, keepsNothing: Bool) -> UInt32 {
    var (node, end, count) = (list + 1, tape.end(list), 0 as UInt32)
    note(steps: tape.count(list))
    while node < end {
      switch tape.kind(node) {
      case .array:
        note(steps: tape.count(node))
        node += 1
        continue
      case .null, .false: count += keepsNothing ? 1 : 0
      default: count += 1
      }
      node = tape.end(node)
    }
    return count
  }

  /// Prints the words before an item of the innermost outlet, or behind the last.
  mutating func printListWords(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    let outlet = stack.outlets.top
    let isBehind = step.pointee.jump == 1
    guard outlet.elementCount > 0, !isBehind || outlet.element == outlet.elementCount, let formats,
      let formatter = formats.locale.ready[Int(step.pointee.entry)],
      formats.entry(step.pointee.entry).pointee.knownKind == .list
    else { return cursor }
    if formats.locale.followsItems(step.pointee.entry) { noteForeign() }
    var cursor = cursor
    let index = isBehind ? outlet.element : outlet.element - 1
    let item = !isBehind && outlet.value.isNode ? outlet.value.raw : nil
    try appendWords(
      formatter, Int(index), Int(outlet.elementCount), before: item, through: .html, at: &cursor, &output)
    return cursor
  }
}

/// The items of a list that is printed as a text.
struct ListItems: BitwiseCopyable {
  let escaper: Escaper
  private let first: JSONTape.Index
  private var node: JSONTape.Index
  private let end: JSONTape.Index
  /// The items that are printed.
  private(set) var itemCount = 0
  /// How many have been printed.
  var index = 0

  init(of list: JSONTape.Index, on tape: JSONTape, through escaper: Escaper) {
    self.escaper = escaper
    first = list + 1
    node = first
    end = tape.end(list)
  }

  /// Counts the items.
  /// - Returns: false if one is a list or an object.
  mutating func count(on tape: JSONTape) -> Bool {
    while let item = next(on: tape) {
      switch tape.kind(item) {
      case .array, .object: return false
      default: itemCount += 1
      }
    }
    node = first
    return true
  }

  /// The next item that is printed; nil at the end.
  mutating func next(on tape: JSONTape) -> JSONTape.Index? {
    while node < end {
      let item = node
      node = tape.end(item)
      switch tape.kind(item) {
      case .null, .false: continue
      default: return item
      }
    }
    return nil
  }
}
