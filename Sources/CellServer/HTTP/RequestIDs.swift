/// Makes the ids of requests that came without one: 15 characters, so that they need no memory of their own.
///
/// Six random characters (30 bits, for each worker at its start) tell workers, replicas and restarts apart;
/// nine count (45 bits: a million a second for a year).
struct RequestIDs {
  private static let length = 15
  private static let randomLength = 6
  /// Crockford's: no letter that reads as a digit.
  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  /// The last id's characters, as their places in the alphabet.
  private var digits: [15 of UInt8] = .init(repeating: 0)
  /// The same as text.
  private var characters: [15 of UInt8] = .init(repeating: 0)

  init() {
    var random = SystemRandomNumberGenerator()
    for place in 0..<Self.length {
      set(place, to: place < Self.randomLength ? UInt8.random(in: 0..<32, using: &random) : 0)
    }
  }

  /// Not used before by this maker.
  mutating func next() -> String {
    var place = Self.length - 1
    while digits[place] == 31, place > Self.randomLength {
      set(place, to: 0)
      place -= 1
    }
    set(place, to: (digits[place] + 1) & 31)
    return String(unsafeUninitializedCapacity: Self.length) { target in
      // As many bytes as were asked for.
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
