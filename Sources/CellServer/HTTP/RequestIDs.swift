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
    for position in 0..<Self.length {
      set(position, to: position < Self.randomLength ? UInt8.random(in: 0..<32, using: &random) : 0)
    }
  }

  /// The next id, unique within this generator.
  mutating func next() -> String {
    var position = Self.length - 1
    while digits[position] == 31, position > Self.randomLength {
      set(position, to: 0)
      position -= 1
    }
    set(position, to: (digits[position] + 1) & 31)
    return String(unsafeUninitializedCapacity: Self.length) { target in
      // Writes exactly as many bytes as were requested.
      for position in 0..<Self.length { target[position] = characters[position] }
      return Self.length
    }
  }

  private mutating func set(_ position: Int, to digit: UInt8) {
    digits[position] = digit
    // In bounds: five bits are below 32, and the literal lives as long as the program.
    characters[position] = Self.alphabet.utf8Start[Int(digit)]
  }
}
