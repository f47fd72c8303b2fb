extension JSONTape {
  /// Appends the value as compact JSON: members in the order sent, a repeated name once, where it stood first
  /// and with its last value; strings minimally escaped; numbers with the digits that were sent.
  ///
  /// Cost: linear in the value's nodes and bytes. Memory: an entry for each open array and object, and for
  /// each member of those objects that have repeated names.
  package func appendJSON(_ index: Index, to output: inout ByteBuffer) {
    guard var current = open(index, to: &output) else { return }
    // The containers around `current`: a stack of our own, for the text may be deeper than the thread's
    // allows.
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

  /// An array or object whose opening bracket is printed.
  private struct OpenContainer {
    /// The next element or key; unused if `members` is not nil.
    var next: Index
    let end: Index
    let isObject: Bool
    var isFirst = true
    /// Set if names are repeated: the keys to print, and for each the value it gets.
    var members: [(key: Index, value: Index)]?
    var position = 0
  }

  /// Appends a scalar and returns nil, or the opening bracket of a container and returns it.
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

  /// Appends the comma and the key, if any, of the container's next value, and returns that; nil behind the
  /// last.
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

  /// Objects of up to this many members are searched for repeated names by comparing each with each.
  private static var comparedMembers: Int { 12 }

  /// Nil if no name is repeated. Else each name once, in the order of first places, with its last value.
  private func membersIfRepeated(of object: Index) -> [(key: Index, value: Index)]? {
    let count = count(object)
    guard count > 1 else { return nil }
    if count <= Self.comparedMembers && !hasRepeatedName(object) { return nil }

    var members: [(key: Index, value: Index)] = []
    members.reserveCapacity(count)
    // Seeded hashing: keys that are chosen to collide cannot make it slow.
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

  /// A name by its bytes, which lie in the tape's text and so outlive the dictionary of one call.
  private struct Name: Hashable {
    let bytes: UnsafeRawBufferPointer

    static func == (left: Name, right: Name) -> Bool {
      left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }
}
