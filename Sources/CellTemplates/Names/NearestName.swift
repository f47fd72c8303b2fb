/// Finds the name that was probably meant, for "did you mean".
///
/// Letters of ASCII are equal in either case, and `_` is equal to `-`. An edit adds, removes or replaces one byte, or
/// swaps two neighbours. Names of less than three bytes must be equal, those of less than eight may differ by one edit,
/// longer ones by two.
package enum NearestName {
  /// Longer names are not compared.
  package static let limitBytes = 64
  /// The most candidates that one search compares.
  package static let candidateLimit = 256

  /// The first of the candidates with the fewest edits; nil if none is near.
  /// - Parameter edits: the most edits, if there shall be fewer.
  package static func find(
    _ name: String, among candidates: some Sequence<String>, edits most: Int = 2
  ) -> String? {
    let wanted = folded(name.utf8.prefix(limitBytes + 1))
    if wanted.isEmpty || wanted.count > limitBytes { return nil }
    var best: (name: String, edits: Int)?
    for candidate in candidates.prefix(candidateLimit) where candidate.utf8.count <= limitBytes {
      let other = folded(candidate.utf8)
      let allowed = min(most, editLimit(wanted.count), (best?.edits ?? .max) - 1)
      guard allowed >= 0, abs(other.count - wanted.count) <= allowed else { continue }
      let edits = edits(wanted, other, limit: allowed)
      if edits <= allowed { best = (candidate, edits) }
    }
    return best?.name
  }

  private static func editLimit(_ count: Int) -> Int { count < 3 ? 0 : count < 8 ? 1 : 2 }

  static func folded(_ name: some Collection<UInt8>) -> [UInt8] {
    name.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "_"): UInt8(ascii: "-")
      default: byte
      }
    }
  }

  /// The optimal string alignment distance; more than `limit` if it is greater. Only cells of the table within `limit`
  /// of its diagonal are computed: others are greater.
  private static func edits(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int {
    let far = limit + 1
    var before = [Int](repeating: far, count: right.count + 1)
    var last = (0...right.count).map { min($0, far) }
    var row = before
    for i in left.indices {
      for j in row.indices { row[j] = far }
      row[0] = min(i + 1, far)
      for j in max(0, i - limit)..<max(0, i - limit, min(right.count, i + limit + 1)) {
        let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
        row[j + 1] = min(replaced, row[j] + 1, last[j + 1] + 1, far)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        }
      }
      (before, last, row) = (last, row, before)
    }
    return last[right.count]
  }
}
