/// The positions of the names in the current row. Filled once for each row, so that each look-up is a single
/// comparison, whether the name exists or not. Also used for other large objects: see `RowScope`.
///
/// There is one for each factory. No data of a row is visible in the next: a place is valid only with the
/// number of the row that wrote it.
final class RowNames {
  struct Place {
    var row: UInt32
    var value: JSONTape.Index
  }

  /// Indexed by name id, with an additional last place that stays empty, for values that are not names.
  /// `count` places, allocated and initialized in `init`, freed in `deinit`.
  let places: UnsafeMutablePointer<Place>
  private let count: Int
  /// The number of the current row, never 0.
  // Read and written as a whole by the single rendering thread, so accesses never overlap.
  @exclusivity(unchecked) private(set) var row: UInt32 = 0

  /// - Parameter nameCount: the number of names in the archive.
  init(nameCount: Int) {
    count = nameCount + 1
    places = .allocate(capacity: count)
    places.initialize(repeating: Place(row: 0, value: 0), count: count)
  }

  deinit { places.deallocate() }

  /// The memory for this many names in bytes.
  static func bytes(nameCount: Int) -> Int { (nameCount + 1) * MemoryLayout<Place>.stride }

  /// Records the object's members that have a name in the archive; for a repeated name, the last one. Linear
  /// in the number of members.
  func populate(from object: JSONTape.Index, on tape: JSONTape) {
    begin()
    let end = tape.end(object)
    var key = object + 1
    while key < end {
      let value = key + 1
      let name = tape.nameID(key)
      // The parser assigns only ids of names it was given, which are those of the archive, or `unknownName`.
      if name != JSONTape.unknownName { places[Int(name)] = Place(row: row, value: value) }
      key = tape.end(value)
    }
  }

  /// Drops the names of the last row.
  func begin() {
    row &+= 1
    if row == 0 {
      places.update(repeating: Place(row: 0, value: 0), count: count)
      row = 1
    }
  }
}
