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

  /// Records a member, with the hash of its name.
  func note(_ key: Index, hash: Int, on tape: JSONTape) {
    let slot = slot(of: key, hash: hash, on: tape)
    members += 1
    if slot.pointee.key == 0 {
      slot.pointee = Slot(key: key, value: key + 1)
      names += 1
    } else {
      slot.pointee.value = cf_key_that_counts(slot.pointee.value - 1, key) + 1
    }
  }

  /// The value to print after a recorded key, with the hash of its name; nil if the name was printed before.
  func value(of key: Index, hash: Int, on tape: JSONTape) -> Index? {
    let slot = slot(of: key, hash: hash, on: tape).pointee
    return slot.key == key ? slot.value : nil
  }

  /// The slot of the key's name, or the empty slot where it belongs. At least half of all slots are empty.
  private func slot(of key: Index, hash: Int, on tape: JSONTape) -> UnsafeMutablePointer<Slot> {
    var index = hash & mask
    while slots[index].key != 0 && !tape.isSameName(slots[index].key, key) { index = (index + 1) & mask }
    return slots + index
  }
}

/// The hash of one name for a `MemberTable`, made in any number of parts.
struct NameHash {
  /// The work of hashing and comparing one name, in bytes, in addition to its length.
  private static let bytesPerName = 128
  /// Names are hashed in steps of this many bytes: the hash depends on where steps begin.
  private static let stepBytes = 64 << 10

  private var hasher = Hasher()
  private var done = 0

  /// Hashes the next part of a name.
  /// - Parameters:
  ///   - name: the whole name, the same in each part.
  ///   - left: the work that may be done, in bytes. The part ends soon after this limit.
  /// - Returns: the hash, if the name is complete.
  mutating func part(of name: UnsafeRawBufferPointer, _ left: inout Int) -> Int? {
    if done == 0 { left -= Self.bytesPerName }
    repeat {
      let end = min(done + Self.stepBytes, name.count)
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: name[done..<end]))
      left -= end - done
      done = end
    } while done < name.count && left > 0
    return done == name.count ? hasher.finalize() : nil
  }

  /// The hash of a name that may be made in one part.
  static func whole(of name: UnsafeRawBufferPointer) -> Int {
    var (hash, left) = (NameHash(), Int.max)
    return hash.part(of: name, &left)!
  }
}
