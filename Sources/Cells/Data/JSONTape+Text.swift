extension JSONTape {
  /// Appends the value as compact JSON. Members keep the order sent; a repeated name appears once, at its
  /// first position with its last value. Strings are minimally escaped; numbers keep their digits.
  ///
  /// Cost: linear in the value's nodes and bytes. Memory: an entry for each open array and object, and for
  /// each member of objects with repeated names.
  package func appendJSON(_ index: Index, to output: inout ByteBuffer) {
    guard var current = open(index, to: &output) else { return }
    // The containers around `current`, on an explicit stack, because the text may be nested deeper than the
    // thread's stack allows.
    var around: [OpenContainer] = []
    while true {
      guard let value = appendNext(of: &current, to: &output) else {
        output.append(byte: current.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        guard let outer = around.popLast() else { return }
        current = outer
        continue
      }
      if let inner = open(value, to: &output) {
        around.append(current)
        current = inner
      }
    }
  }

  /// An array or object whose opening bracket has been written.
  private struct OpenContainer {
    /// The next element or key; unused if `members` is not nil.
    var next: Index
    let end: Index
    let isObject: Bool
    var isFirst = true
    /// If names are repeated: the keys to write, each with its value.
    var members: [(key: Index, value: Index)]?
    var position = 0
  }

  /// Appends a scalar and returns nil, or appends a container's opening bracket and returns the container.
  private func open(_ index: Index, to output: inout ByteBuffer) -> OpenContainer? {
    switch kind(index) {
    case .null, .false, .true, .number:
      output.append(bytes(index))
    case .string, .key:
      Self.appendJSONString(bytes(index), to: &output)
    case .array:
      output.append(byte: UInt8(ascii: "["))
      return OpenContainer(next: index + 1, end: end(index), isObject: false)
    case .object:
      output.append(byte: UInt8(ascii: "{"))
      return OpenContainer(
        next: index + 1, end: end(index), isObject: true, members: membersIfRepeated(of: index))
    }
    return nil
  }

  /// Appends the comma and key, if any, of the container's next value and returns the value; nil at the end.
  private func appendNext(of container: inout OpenContainer, to output: inout ByteBuffer) -> Index? {
    let key: Index
    let value: Index
    if let members = container.members {
      guard container.position < members.count else { return nil }
      (key, value) = members[container.position]
      container.position += 1
    } else {
      guard container.next < container.end else { return nil }
      key = container.next
      value = container.isObject ? key + 1 : key
      container.next = end(value)
    }
    if !container.isFirst { output.append(byte: UInt8(ascii: ",")) }
    container.isFirst = false
    if container.isObject {
      Self.appendJSONString(bytes(key), to: &output)
      output.append(byte: UInt8(ascii: ":"))
    }
    return value
  }

  /// In objects with up to this many members, repeated names are found by comparing all pairs.
  private static var comparedMembers: Int { 12 }

  /// Nil if no name is repeated. Otherwise each name once, in the order of first appearance, with its last
  /// value.
  private func membersIfRepeated(of object: Index) -> [(key: Index, value: Index)]? {
    let count = count(object)
    guard count > 1 else { return nil }
    if count <= Self.comparedMembers && !hasRepeatedName(object) { return nil }

    var members: [(key: Index, value: Index)] = []
    members.reserveCapacity(count)
    // Hashing is seeded, so keys chosen to collide cannot slow it down.
    var positions: [Name: Int] = Dictionary(minimumCapacity: count)
    var key = object + 1
    while key < end(object) {
      let value = key + 1
      if let first = positions.updateValue(members.count, forKey: Name(bytes: bytes(key))) {
        positions[Name(bytes: bytes(key))] = first
        members[first].value = value
      } else {
        members.append((key, value))
      }
      key = end(value)
    }
    return members.count < count ? members : nil
  }

  private func hasRepeatedName(_ object: Index) -> Bool {
    let end = end(object)
    var key = object + 1
    while key < end {
      let name = Name(bytes: bytes(key))
      var other = object + 1
      while other < key {
        if name == Name(bytes: bytes(other)) { return true }
        other = self.end(other + 1)
      }
      key = self.end(key + 1)
    }
    return false
  }

  /// A name as bytes in the tape's text, which outlives the dictionary.
  private struct Name: Hashable {
    let bytes: UnsafeRawBufferPointer

    static func == (left: Name, right: Name) -> Bool {
      left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }
}
