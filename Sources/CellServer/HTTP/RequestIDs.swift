/// Generates ids for requests without one. They have 15 characters, so that the strings need no allocation.
///
/// Six random characters (30 bits, drawn once for each worker) distinguish workers, replicas and restarts.
/// Nine characters count (45 bits: a million a second for a year).
struct RequestIDs {
  private static let length = 15
  private static let randomLength = 6
  /// Crockford's base 32, which has no letters that look like digits.
  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  /// The last id's characters as indexes into the alphabet.
  private var digits: [15 of UInt8] = .init(repeating: 0)
  /// The last id as text.
  private var characters: [15 of UInt8] = .init(repeating: 0)

  init() {
    var random = SystemRandomNumberGenerator()
    for place in 0..<Self.length {
      set(place, to: place < Self.randomLength ? UInt8.random(in: 0..<32, using: &random) : 0)
    }
  }

  /// The next id, unique within this generator.
  mutating func next() -> String {
    var place = Self.length - 1
    while digits[place] == 31, place > Self.randomLength {
      set(place, to: 0)
      place -= 1
    }
    set(place, to: (digits[place] + 1) & 31)
    return String(unsafeUninitializedCapacity: Self.length) { target in
      // Writes exactly as many bytes as were requested.
      for place in 0..<Self.length { target[place] = characters[place] }
      return Self.length
    }
  }

  private mutating func set(_ place: Int, to digit: UInt8) {
    digits[place] = digit
    // In bounds: five bits are below 32, and the literal lives as long as the program.
    characters[place] = Self.alphabet.utf8Start[Int(digit)]
  }
}
