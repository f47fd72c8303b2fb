/// Finds the names that are one edit from another, without a comparison with each.
///
/// Two such names are equal once each has lost at most one byte. The index has a row for each name as it is and
/// without each of its bytes: about as many rows as the names have bytes.
package struct NearNameIndex: Sendable {
  /// Names beyond these are not found.
  static let nameLimit = 1 << 14
  /// The most names compared for each form of the name that is asked for.
  private static let matchLimit = 16
  /// The most names compared in total.
  private static let candidateLimit = 64

  /// The hash of a form in the upper half, the index of its name in the lower half; sorted.
  private let rows: [UInt64]
  private let names: [String]

  /// Takes time linear in the names' bytes, and up to 8 bytes of memory for each.
  package init(_ names: [String]) {
    self.names = Array(names.prefix(Self.nameLimit))
    var rows: [UInt64] = []
    for (number, name) in self.names.enumerated() where name.utf8.count <= NearestName.limitBytes {
      for hash in Self.forms(of: name) { rows.append(UInt64(hash) << 32 | UInt64(number)) }
    }
    rows.sort()
    self.rows = rows
  }

  /// The nearest name by one edit; nil if there is none. Takes time logarithmic in the number of names.
  package func nearest(to name: String) -> String? {
    if name.utf8.count > NearestName.limitBytes { return nil }
    var numbers = Set<Int>()
    for hash in Self.forms(of: name) where numbers.count < Self.candidateLimit {
      var position = start(of: UInt64(hash) << 32)
      let end = min(rows.count, position + Self.matchLimit)
      while position < end, rows[position] >> 32 == UInt64(hash) {
        numbers.insert(Int(rows[position] & 0xFFFF_FFFF))
        position += 1
      }
    }
    return NearestName.find(name, among: numbers.sorted().lazy.map { names[$0] })
  }

  /// The first row that is not less.
  private func start(of row: UInt64) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The hashes of a name as it is and without each of its bytes (FNV-1a). Names with equal hashes are compared, so
  /// collisions only cost the names that `matchLimit` cuts off.
  private static func forms(of name: String) -> [UInt32] {
    let bytes = NearestName.folded(name.utf8)
    return (0...bytes.count).map { skipped in
      var hash: UInt32 = 0x811C_9DC5
      for index in bytes.indices where index != skipped {
        hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193
      }
      return hash
    }
  }
}
