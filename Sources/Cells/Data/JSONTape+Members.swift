import CNodes

/// The members of an object. If a name is repeated, `repeated_keys.h` says which member counts:
///
/// - The parser marks the others, if the name is in the table of names. Whoever walks over members passes over what is
///   marked.
/// - `MemberTable` holds the counting member of names that are in no table. The position is that of the first one.
extension JSONTape {
  /// Whether another member of the same object has the same name and counts instead. The parser marks these keys if their
  /// name is in the table.
  @inline(__always)
  package func isSuperseded(_ key: Index) -> Bool {
    node(key).pointee.head & CF_NODE_SUPERSEDED.rawValue != 0
  }

  /// Whether the parser has marked any key of an object.
  @inline(__always)
  func hasSupersededKeys(_ object: Index) -> Bool {
    node(object).pointee.head & CF_NODE_HAS_SUPERSEDED.rawValue != 0
  }

  /// The value of the member named `id`, the one that counts if repeated; nil if there is none or `object` is not an
  /// object. `id` must be in the table, not ``unknownName``. Cost: the members before it.
  package func value(named id: UInt32, in object: Index) -> Index? {
    assert(id != Self.unknownName)
    guard kind(object) == .object else { return nil }
    let end = end(object)
    let head = Self.keyHead(in: node(object))
    var key = object + 1
    while key < end {
      let node = node(key)
      // Compares the whole head, because a superseded key has a flag in it.
      if node.pointee.link == id && node.pointee.head == head { return key + 1 }
      key = self.end(key + 1)
    }
    return nil
  }

  /// The value of the member whose key is expected `distance` nodes after its object; nil if it is not there or
  /// `object` is not an object.
  ///
  /// - Parameter distance: any number. The node there counts only if it is a key of this object with this name
  ///   that is not superseded.
  @inline(__always)
  package func value(named id: UInt32, in object: Index, expectedAt distance: UInt32) -> Index? {
    let container = node(object)
    // Both are below 2^32, so the sum does not overflow. The node must be inside the object's nodes and one
    // level deeper: a member of this object, not of a nested one. A node that is not an object has no key one
    // level deeper.
    let key = UInt(object) &+ UInt(distance)
    if key < UInt(container.pointee.link) {
      let node = nodes + Int(bitPattern: key)
      if node.pointee.link == id && node.pointee.head == Self.keyHead(in: container) {
        return Index(truncatingIfNeeded: key &+ 1)
      }
    }
    return nil
  }

  /// The head of a key of this object that is not superseded.
  @inline(__always)
  private static func keyHead(in object: UnsafePointer<cf_node>) -> UInt32 {
    ((object.pointee.head >> CF_NODE_DEPTH_SHIFT) &+ 1) << CF_NODE_DEPTH_SHIFT
      | UInt32(JSONKind.key.rawValue)
  }

  /// The members of an object whose names are in the table, each name once with the value that counts. Takes
  /// linear time.
  func knownMembers(of object: Index) -> [(key: Index, value: Index)] {
    var found: [(key: Index, value: Index)] = []
    var key = object + 1
    while key < end(object) {
      if nameID(key) != Self.unknownName, !isSuperseded(key) { found.append((key, key + 1)) }
      key = end(key + 1)
    }
    return found
  }
}
