import Glibc

/// The names of one object: for each the key where it stood first, and the value that counts, the last one.
///
/// A hash table over nodes, by the keys' bytes; the hash is seeded, so that names cannot be chosen to collide. It has room
/// for as many members as the object has, and never grows. Memory: 16 to 32 bytes a member, zeroed by the system as it is
/// used: making a large table takes no longer than making a small one. Freed in `deinit`.
final class MemberTable {
  typealias Index = JSONTape.Index

  /// Bytes that hashing and comparing one name counts for, beside the name's own.
  private static let bytesPerName = 128

  private struct Slot: BitwiseCopyable {
    /// Node 0 is never a key: the slot is empty.
    var key: Index
    var value: Index
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int
  private var names = 0
  private var members = 0

  init(members: Int) {
    var capacity = 16
    while capacity < 2 * members { capacity *= 2 }
    guard let memory = calloc(capacity, MemoryLayout<Slot>.stride) else { fatalError("out of memory") }
    slots = memory.bindMemory(to: Slot.self, capacity: capacity)
    mask = capacity - 1
  }

  deinit { free(slots) }

  var heldBytes: Int { (mask + 1) * MemoryLayout<Slot>.stride }
  var hasRepeatedNames: Bool { names < members }

  /// Takes the member with this key as the last of its name.
  /// - Returns: what that counts for, in bytes.
  func note(_ key: Index, on tape: JSONTape) -> Int {
    let slot = slot(of: key, on: tape)
    members += 1
    if slot.pointee.key == 0 {
      slot.pointee.key = key
      names += 1
    }
    slot.pointee.value = key + 1
    return Self.bytesPerName + tape.count(key)
  }

  /// The value that a noted key is printed with; nil where its name was printed before.
  func value(of key: Index, on tape: JSONTape, _ left: inout Int) -> Index? {
    left -= Self.bytesPerName + tape.count(key)
    let slot = slot(of: key, on: tape).pointee
    return slot.key == key ? slot.value : nil
  }

  /// The slot of the key's name, or the empty one where it goes. At least half of all slots are empty.
  private func slot(of key: Index, on tape: JSONTape) -> UnsafeMutablePointer<Slot> {
    var hasher = Hasher()
    hasher.combine(bytes: tape.bytes(key))
    var place = hasher.finalize() & mask
    while slots[place].key != 0 && !tape.isSameName(slots[place].key, key) { place = (place + 1) & mask }
    return slots + place
  }
}
