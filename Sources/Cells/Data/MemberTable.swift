import CMemory
import CNodes
import Glibc

/// The names of one object, each with its first key and the value that counts.
///
/// A hash table of nodes, indexed by the bytes of the keys. The hash is seeded, so that nobody can choose
/// names that collide. The table has room for all members of the object and never grows. Memory: 16 to 32
/// bytes for each member, zeroed by the system on first use, so creating a large table takes no longer than
/// creating a small one. Freed in `deinit`.
final class MemberTable {
  typealias Index = JSONTape.Index

  /// The work of hashing and comparing one name, in bytes, in addition to its length.
  private static let bytesPerName = 128

  private struct Slot: BitwiseCopyable {
    /// Zero if the slot is empty, because node 0 is never a key.
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

  deinit { cf_discard(slots, heldBytes, free) }

  var heldBytes: Int { (mask + 1) * MemoryLayout<Slot>.stride }
  var hasRepeatedNames: Bool { names < members }

  /// Records a member.
  /// - Returns: the work, in bytes.
  func note(_ key: Index, on tape: JSONTape) -> Int {
    let slot = slot(of: key, on: tape)
    members += 1
    if slot.pointee.key == 0 {
      slot.pointee = Slot(key: key, value: key + 1)
      names += 1
    } else {
      slot.pointee.value = cf_key_that_counts(slot.pointee.value - 1, key) + 1
    }
    return Self.bytesPerName + tape.count(key)
  }

  /// The value to print after a recorded key; nil if the name was printed before.
  func value(of key: Index, on tape: JSONTape, _ left: inout Int) -> Index? {
    left -= Self.bytesPerName + tape.count(key)
    let slot = slot(of: key, on: tape).pointee
    return slot.key == key ? slot.value : nil
  }

  /// The slot of the key's name, or the empty slot where it belongs. At least half of all slots are empty.
  private func slot(of key: Index, on tape: JSONTape) -> UnsafeMutablePointer<Slot> {
    var hasher = Hasher()
    hasher.combine(bytes: tape.bytes(key))
    var index = hasher.finalize() & mask
    while slots[index].key != 0 && !tape.isSameName(slots[index].key, key) { index = (index + 1) & mask }
    return slots + index
  }
}
