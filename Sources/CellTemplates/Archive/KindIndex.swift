import CXXHash

#if canImport(Glibc)
  import Glibc
#endif

/// Finds a kind by the bytes of its name: open addressing in a table that is at most half full. The hash has a seed, so
/// nobody can choose names that collide.
struct KindIndex: Sendable {
  private let slots: FrozenArray<UInt32>
  private let mask: Int
  private let seed: UInt64
  /// Length of the longest name. Longer strings are not even hashed, because rows may request any string many
  /// times.
  private let longest: Int

  init(
    _ kinds: FrozenArray<KindEntry>, literals: FrozenArray<UInt8>, seed: UInt64 = HashSeed.ofProcess
  ) {
    self.seed = seed
    var size = 8
    while size < kinds.count * 2 { size *= 2 }
    mask = size - 1
    longest = (0..<kinds.count).lazy.map { Int(kinds[$0].name.count) }.max() ?? 0
    var table = [UInt32](repeating: noIndex, count: size)
    for number in 0..<kinds.count {
      let name = kinds[number].name
      let hash = cf_xxh3_64(literals.base + Int(name.offset), Int(name.count), seed)
      var slot = Int(truncatingIfNeeded: hash) & mask
      while table[slot] != noIndex { slot = (slot + 1) & mask }
      table[slot] = UInt32(number)
    }
    slots = FrozenArray(table)
  }

  func find(
    _ name: UnsafeRawBufferPointer, _ kinds: FrozenArray<KindEntry>, _ literals: FrozenArray<UInt8>
  ) -> UInt32? {
    if name.count > longest { return nil }
    var slot = Int(truncatingIfNeeded: cf_xxh3_64(name.baseAddress, name.count, seed)) & mask
    while true {
      let number = slots[slot]
      if number == noIndex { return nil }
      let known = kinds[Int(number)].name
      // Names are inside the literals and not empty, so the requested name also has bytes.
      if Int(known.count) == name.count, let bytes = name.baseAddress,
        memcmp(literals.base + Int(known.offset), bytes, name.count) == 0
      {
        return number
      }
      slot = (slot + 1) & mask
    }
  }
}
