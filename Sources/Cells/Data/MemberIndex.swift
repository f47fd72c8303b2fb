import CellTemplates
import Glibc

/// Where the members of one object are, by the numbers of their names. Filled once, so that each look-up is a
/// single comparison, whether the name exists or not.
///
/// Reused for one object after another. No data of an object is visible in the next: an entry is valid only
/// with the number of the object that wrote it.
final class MemberIndex {
  struct Entry {
    /// The number of the object that wrote the entry; 0 if none did.
    var object: UInt32
    var value: JSONTape.Index
  }

  /// Indexed by name id, with an additional last entry that stays empty, for values that are not names.
  /// `count` entries, allocated in `init`, freed in `deinit`. Zeroed by the system on first use: a table of many names
  /// costs no more than the parts that an object's members use.
  let entries: UnsafeMutablePointer<Entry>
  private let count: Int
  /// No object has this number.
  static let noObject = UInt32.max

  /// The number of the current object, never 0 after `begin`.
  // Unchecked, because each row asks for it: a single thread renders, and no access calls other code.
  @exclusivity(unchecked) private(set) var object: UInt32 = 0
  /// The key of the next member to record, of an object that is recorded in parts; `noIndex` once it is complete.
  @exclusivity(unchecked) private var next = noIndex
  /// An object with more members is recorded in parts.
  static let membersAtOnce = 4096

  /// - Parameter nameCount: the number of names in the archive.
  init(nameCount: Int) {
    count = nameCount + 1
    guard let memory = calloc(count, MemoryLayout<Entry>.stride) else { fatalError("out of memory") }
    entries = memory.bindMemory(to: Entry.self, capacity: count)
  }

  deinit { free(entries) }

  /// The memory for this many names in bytes.
  static func bytes(nameCount: Int) -> Int { (nameCount + 1) * MemoryLayout<Entry>.stride }

  /// Records the object's members that have a name in the archive; for a repeated name, the one that counts. Linear
  /// in the number of members.
  func populate(from object: JSONTape.Index, on tape: JSONTape) {
    begin()
    record(object + 1..<tape.end(object), of: object, on: tape)
  }

  /// Begins to record the object's members in parts.
  func begin(from object: JSONTape.Index) {
    begin()
    next = object + 1
  }

  /// Whether not all members of the object are recorded.
  var isIncomplete: Bool { next != noIndex }

  /// Records up to `membersAtOnce` members of the object that was begun.
  func recordPart(of object: JSONTape.Index, on tape: JSONTape) {
    let end = tape.end(object)
    // A member has two nodes or more.
    let stop = next + min(end - next, 2 * JSONTape.Index(Self.membersAtOnce))
    let key = record(next..<stop, of: object, on: tape)
    next = key < end ? key : noIndex
  }

  /// Records the object's members whose keys are in the range. Returns the key after the last one.
  @inline(__always) @discardableResult
  private func record(
    _ members: Range<JSONTape.Index>, of object: JSONTape.Index, on tape: JSONTape
  ) -> JSONTape.Index {
    let repeatsNames = tape.hasSupersededKeys(object)
    let end = members.upperBound
    var key = members.lowerBound
    while key < end {
      let value = key + 1
      let name = tape.nameID(key)
      // The parser assigns only ids of names it was given, which are those of the archive, or `unknownName`.
      if name != JSONTape.unknownName, !(repeatsNames && tape.isSuperseded(key)) {
        entries[Int(name)] = Entry(object: self.object, value: value)
      }
      key = tape.end(value)
    }
    return key
  }

  /// The value of the current object's member; nil if there is none.
  func value(named name: UInt32) -> JSONTape.Index? {
    let entry = entries[Int(name)]
    return entry.object == object ? entry.value : nil
  }

  /// Drops the members of the last object.
  func begin() {
    next = noIndex
    object &+= 1
    if object == Self.noObject {
      entries.update(repeating: Entry(object: 0, value: 0), count: count)
      object = 1
    }
  }
}
