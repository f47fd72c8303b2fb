/// Where the names of the row being drawn stand: filled once for each row, so that a look-up of one of them is a
/// single comparison, whether it is found or not. The same serves for other large objects: see `RowScope`.
///
/// One for each factory. Nothing of a row is seen in the next: a place counts only under the number of the row it was
/// written for.
final class RowNames {
  struct Place {
    var row: UInt32
    var value: JSONTape.Index
  }

  /// By id of a name, and one more, which stays empty: for what is no name. `count` places, allocated and initialized
  /// in `init`, freed in `deinit`.
  let places: UnsafeMutablePointer<Place>
  private let count: Int
  /// The number of the row being drawn, never 0.
  // Read and set as a whole, by the one thread that draws: no access lasts.
  @exclusivity(unchecked) private(set) var row: UInt32 = 0

  /// - Parameter nameCount: how many names the archive has.
  init(nameCount: Int) {
    count = nameCount + 1
    places = .allocate(capacity: count)
    places.initialize(repeating: Place(row: 0, value: 0), count: count)
  }

  deinit { places.deallocate() }

  /// Bytes of memory that the places of so many names take.
  static func bytes(nameCount: Int) -> Int { (nameCount + 1) * MemoryLayout<Place>.stride }

  /// Takes the names of an object of the archive's names; of a name that is repeated, the last.
  /// Cost: the object's members.
  func populate(from object: JSONTape.Index, on tape: JSONTape) {
    begin()
    let end = tape.end(object)
    var key = object + 1
    while key < end {
      let value = key + 1
      let name = tape.nameID(key)
      // The parser gives ids of the names it was given, which are the archive's, or `unknownName`.
      if name != JSONTape.unknownName { places[Int(name)] = Place(row: row, value: value) }
      key = tape.end(value)
    }
  }

  /// Forgets what the last row's names were.
  func begin() {
    row &+= 1
    if row == 0 {
      places.update(repeating: Place(row: 0, value: 0), count: count)
      row = 1
    }
  }
}
