/// Finds the override of a block if a parent tag has many overrides, in logarithmic time. Derived from an
/// archive's overrides.
package struct OverrideIndex: Sendable {
  private struct Key: BitwiseCopyable {
    let name: UInt32
    let place: UInt32
    let number: UInt32

    init(_ override: OverrideEntry, _ number: UInt32) {
      (name, place, self.number) = (override.blockName, override.place, number)
    }

    static func < (left: Key, right: Key) -> Bool {
      (left.name, left.place, left.number) < (right.name, right.place, right.number)
    }
  }

  /// Sorted.
  private let keys: FrozenArray<Key>

  init(_ overrides: [OverrideEntry]) {
    keys = FrozenArray(overrides.enumerated().map { Key($1, UInt32($0)) }.sorted(by: <))
  }

  /// The last override of a block in a run of the archive's overrides.
  package func last(of block: BlockEntry, in run: Range<UInt32>) -> UInt32? {
    // Find the first key after all matching ones.
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      let key = keys.base[middle]
      if (key.name, key.place, key.number) < (block.name, block.place, run.upperBound) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return nil }
    let key = keys.base[low - 1]
    let isWanted = key.name == block.name && key.place == block.place && key.number >= run.lowerBound
    return isWanted ? key.number : nil
  }
}
