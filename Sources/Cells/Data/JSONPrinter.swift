import Glibc

/// Prints one value of a tape as compact JSON, in as many parts as the caller likes.
///
/// Members keep the order in which they were sent. A repeated name is printed once, where it stood first, with its last
/// value. Strings are minimally escaped; numbers keep the digits that were sent.
///
/// Cost: linear in the value's nodes and bytes. Memory: an entry for each open array and object, and `MemberTable` for
/// objects that may repeat names. Nothing points into the tape: between two parts its text may move.
struct JSONPrinter {
  typealias Index = JSONTape.Index

  /// An array or object whose opening bracket is printed.
  private struct OpenContainer {
    var next: Index
    let end: Index
    let isObject: Bool
    var isFirst = true
    /// Set if names are repeated: which keys are printed, and with what values.
    var table: MemberTable?
  }

  /// What one node counts for: looking at it takes as long as copying so many bytes.
  private static let bytesPerNode = 32
  /// Objects with at most this many members, of names no longer than this, are searched for repeated names by comparing
  /// each with each.
  private static let comparedMembers = 12
  private static let comparedNameBytes = 256

  /// The containers around `current`. A stack of its own: JSON may be deeper than the thread's stack allows.
  private var around: [OpenContainer] = []
  private var current: OpenContainer?
  /// The value to print next; nil while there is none but `current`'s.
  private var value: Index?
  /// A string that is printed in part: its node, and the bytes that are done.
  private var string: (node: Index, done: Int)?
  /// The names of an object that is about to be opened, as far as they are known.
  private var opening: (object: Index, key: Index, table: MemberTable)?
  private var isDone = false

  init(_ value: Index) { self.value = value }

  /// Bytes of memory beside the output.
  var heldBytes: Int {
    var bytes = around.capacity * MemoryLayout<OpenContainer>.stride + (opening?.table.heldBytes ?? 0)
    bytes += current?.table?.heldBytes ?? 0
    for container in around { bytes += container.table?.heldBytes ?? 0 }
    return bytes
  }

  /// Appends the next part.
  /// - Parameter work: bytes to print; a node counts for `bytesPerNode`. A part ends soon after.
  /// - Returns: true when the value is complete.
  mutating func print(on tape: JSONTape, to output: inout ByteBuffer, work: Int = .max) -> Bool {
    var left = work
    while !isDone {
      if left <= 0 { return false }
      if string != nil {
        goOn(tape, to: &output, &left)
      } else if opening != nil {
        collectNames(tape, to: &output, &left)
      } else if let value {
        self.value = nil
        left -= Self.bytesPerNode
        begin(value, tape, to: &output, &left)
      } else {
        left -= Self.bytesPerNode
        moveOn(tape, to: &output, &left)
      }
    }
    return true
  }

  /// Prints a scalar, or begins a string or container.
  private mutating func begin(
    _ index: Index, _ tape: JSONTape, to output: inout ByteBuffer, _ left: inout Int
  ) {
    switch tape.kind(index) {
    case .null, .false, .true, .number:
      output.append(tape.bytes(index))
      left -= tape.count(index)
      endValue()
    case .string, .key:
      output.append(byte: UInt8(ascii: "\""))
      string = (index, 0)
    case .array:
      output.append(byte: UInt8(ascii: "["))
      enter(OpenContainer(next: index + 1, end: tape.end(index), isObject: false))
    case .object:
      output.append(byte: UInt8(ascii: "{"))
      let count = tape.count(index)
      if count <= Self.comparedMembers && tape.hasDifferentNames(index, upTo: Self.comparedNameBytes) {
        enter(OpenContainer(next: index + 1, end: tape.end(index), isObject: true))
      } else {
        opening = (index, index + 1, MemberTable(members: count))
      }
    }
  }

  private mutating func enter(_ container: OpenContainer) {
    if let current { around.append(current) }
    current = container
  }

  /// The value at hand is printed.
  private mutating func endValue() { isDone = current == nil }

  /// Prints more of a string.
  private mutating func goOn(_ tape: JSONTape, to output: inout ByteBuffer, _ left: inout Int) {
    guard let (node, done) = string else { return }
    let bytes = tape.bytes(node)
    let end = done + min(bytes.count - done, max(left, Self.bytesPerNode))
    JSONTape.appendJSONContent(UnsafeRawBufferPointer(rebasing: bytes[done..<end]), to: &output)
    left -= end - done
    guard end == bytes.count else {
      string = (node, end)
      return
    }
    string = nil
    output.append(byte: UInt8(ascii: "\""))
    if tape.kind(node) == .key {
      output.append(byte: UInt8(ascii: ":"))
    } else {
      endValue()
    }
  }

  /// Looks for repeated names in the object that is about to be opened.
  private mutating func collectNames(_ tape: JSONTape, to output: inout ByteBuffer, _ left: inout Int) {
    guard var (object, key, table) = opening.take() else { return }
    let end = tape.end(object)
    while key < end && left > 0 {
      left -= table.note(key, on: tape)
      key = tape.end(key + 1)
    }
    if key < end {
      opening = (object, key, table)
    } else {
      var container = OpenContainer(next: object + 1, end: end, isObject: true)
      if table.hasRepeatedNames { container.table = table }
      enter(container)
    }
  }

  /// Moves to the next value of the innermost container, or leaves it.
  private mutating func moveOn(_ tape: JSONTape, to output: inout ByteBuffer, _ left: inout Int) {
    guard var container = current.take() else { return }
    let key = container.next
    guard key < container.end else {
      output.append(byte: container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      current = around.popLast()
      endValue()
      return
    }
    defer { current = container }
    guard container.isObject else {
      container.next = tape.end(key)
      appendComma(&container, to: &output)
      value = key
      return
    }
    container.next = tape.end(key + 1)
    var own: Index? = key + 1
    if let table = container.table { own = table.value(of: key, on: tape, &left) }
    guard let own else { return }
    appendComma(&container, to: &output)
    value = own
    // The key is printed before the value that waits.
    output.append(byte: UInt8(ascii: "\""))
    string = (key, 0)
  }

  private func appendComma(_ container: inout OpenContainer, to output: inout ByteBuffer) {
    if !container.isFirst { output.append(byte: UInt8(ascii: ",")) }
    container.isFirst = false
  }
}

extension JSONTape {
  /// Appends the value as `JSONPrinter` prints it, in one go.
  package func appendJSON(_ index: Index, to output: inout ByteBuffer) {
    var printer = JSONPrinter(index)
    _ = printer.print(on: self, to: &output)
  }

  /// Whether no two keys of the object are equal; false, too, where one is longer than `most` bytes. Cost: its members
  /// squared.
  fileprivate func hasDifferentNames(_ object: Index, upTo most: Int) -> Bool {
    let end = end(object)
    var key = object + 1
    while key < end {
      if count(key) > most { return false }
      var other = object + 1
      while other < key {
        if isSameName(key, other) { return false }
        other = self.end(other + 1)
      }
      key = self.end(key + 1)
    }
    return true
  }

  /// Whether two keys have the same bytes.
  func isSameName(_ key: Index, _ other: Index) -> Bool {
    let (left, right) = (bytes(key), bytes(other))
    // No name is at address zero: it lies in the text.
    return left.count == right.count && memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
  }
}
