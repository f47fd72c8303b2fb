import Glibc

/// Prints one value of a tape as compact JSON, in any number of parts.
///
/// Members keep their order. A repeated name is printed once, at its first position, with the value that counts.
/// Strings are minimally escaped; numbers keep their digits as sent.
///
/// Time: linear in the value's nodes and bytes. Memory: an entry for each open array and object, and a
/// `MemberTable` for objects that may repeat names. Holds no pointers into the tape, so its text may move
/// between two parts.
struct JSONPrinter {
  typealias Index = JSONTape.Index

  /// An array or object whose opening bracket has been printed.
  private struct OpenContainer {
    var next: Index
    let end: Index
    let isObject: Bool
    var isFirst = true
    /// Set if names are repeated: the keys to print, with their values.
    var table: MemberTable?
  }

  /// The work of visiting one node, equivalent to copying this many bytes.
  private static let bytesPerNode = 32
  /// Longer numbers are printed in parts.
  private static let longNumberBytes = 4096
  /// In objects with at most this many members, and names up to this length, repeated names are found by
  /// comparing all pairs.
  private static let comparedMembers = 12
  private static let comparedNameBytes = 256

  /// The containers around `current`. An explicit stack, because JSON may be deeper than the thread's stack
  /// allows.
  private var around: [OpenContainer] = []
  private var current: OpenContainer?
  /// The value to print next; nil if the next value comes from `current`.
  private var value: Index?
  /// A partly printed string or long number: its node, and the number of bytes printed.
  private var string: (node: Index, done: Int)?
  /// The object to open next, while its names are being collected.
  private var opening: (object: Index, key: Index, table: MemberTable)?
  /// The hash of the next name that is collected or looked up in a table, as far as it is made.
  private var nameHash = NameHash()
  private var isDone = false

  init(_ value: Index) { self.value = value }

  /// Memory in bytes, not including the output.
  var heldBytes: Int {
    var bytes = around.capacity * MemoryLayout<OpenContainer>.stride + (opening?.table.heldBytes ?? 0)
    bytes += current?.table?.heldBytes ?? 0
    for container in around { bytes += container.table?.heldBytes ?? 0 }
    return bytes
  }

  /// Appends the next part.
  /// - Parameter work: bytes to print, where a node counts as `bytesPerNode`. The part ends soon after this
  ///   limit.
  /// - Returns: true when the value is complete.
  mutating func print(on tape: JSONTape, to output: inout ByteBuffer, work: Int = .max) -> Bool {
    var left = work
    return print(on: tape, to: &output, workLeft: &left)
  }

  /// Same, and tells the work: much of it may be to read what is not printed.
  mutating func print(on tape: JSONTape, to output: inout ByteBuffer, workLeft left: inout Int) -> Bool {
    while !isDone {
      if left <= 0 { return false }
      if string != nil {
        goOn(tape, to: &output, &left)
      } else if opening != nil {
        collectNames(tape, &left)
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
    case .number where tape.count(index) > Self.longNumberBytes: string = (index, 0)
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

  /// Called after a value is printed.
  private mutating func endValue() { isDone = current == nil }

  /// Prints more of a string or long number.
  private mutating func goOn(_ tape: JSONTape, to output: inout ByteBuffer, _ left: inout Int) {
    guard let (node, done) = string else { return }
    let bytes = tape.bytes(node)
    let end = done + min(bytes.count - done, max(left, Self.bytesPerNode))
    let part = UnsafeRawBufferPointer(rebasing: bytes[done..<end])
    let isNumber = tape.kind(node) == .number
    if isNumber { output.append(part) } else { JSONTape.appendJSONContent(part, to: &output) }
    left -= end - done
    guard end == bytes.count else {
      string = (node, end)
      return
    }
    string = nil
    if !isNumber { output.append(byte: UInt8(ascii: "\"")) }
    if tape.kind(node) == .key {
      output.append(byte: UInt8(ascii: ":"))
    } else {
      endValue()
    }
  }

  /// Searches the object to open next for repeated names.
  private mutating func collectNames(_ tape: JSONTape, _ left: inout Int) {
    guard case (let object, var key, let table)? = opening.take() else { return }
    let end = tape.end(object)
    while key < end, left > 0, let hash = hash(ofName: key, tape, &left) {
      table.note(key, hash: hash, on: tape)
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

  /// The hash of a key's name; nil if the part of the work ended before. The next part asks for the same name.
  private mutating func hash(ofName key: Index, _ tape: JSONTape, _ left: inout Int) -> Int? {
    let hash = nameHash.part(of: tape.bytes(key), &left)
    if hash != nil { nameHash = NameHash() }
    return hash
  }

  /// Continues with the next value of the innermost container, or closes the container.
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
    var own: Index? = key + 1
    if let table = container.table {
      guard let hash = hash(ofName: key, tape, &left) else { return }
      own = table.value(of: key, hash: hash, on: tape)
    }
    container.next = tape.end(key + 1)
    guard let own else { return }
    appendComma(&container, to: &output)
    value = own
    // The key is printed before the pending value.
    output.append(byte: UInt8(ascii: "\""))
    string = (key, 0)
  }

  private func appendComma(_ container: inout OpenContainer, to output: inout ByteBuffer) {
    if !container.isFirst { output.append(byte: UInt8(ascii: ",")) }
    container.isFirst = false
  }
}

extension JSONTape {
  /// Appends the value in the format of `JSONPrinter`, in one part.
  package func appendJSON(_ index: Index, to output: inout ByteBuffer) {
    var printer = JSONPrinter(index)
    _ = printer.print(on: self, to: &output)
  }

  /// Whether all keys of the object differ; also false if a key is longer than `most` bytes. Takes quadratic
  /// time in the number of members.
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
    // The address of a name is never nil, because names are in the text.
    return left.count == right.count && memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
  }
}
