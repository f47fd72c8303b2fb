/// Makes the ids of requests that came without one: 15 characters, so that they need no memory of their own.
///
/// Six random characters (30 bits, for each worker at its start) tell workers, replicas and restarts apart;
/// nine count (45 bits: a million a second for a year).
struct RequestIDs {
  private let prefix: UInt64
  private var counter: UInt64 = 0

  init() {
    var random = SystemRandomNumberGenerator()
    prefix = random.next()
  }

  /// Not used before by this maker.
  mutating func next() -> String {
    counter += 1
    var digits = counter
    var random = prefix
    // Crockford's alphabet: no letter that reads as a digit.
    let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    return String(unsafeUninitializedCapacity: 15) { target in
      // In bounds: five bits are below 32, and the alphabet's literal lives as long as the program.
      for place in 0..<6 {
        target[place] = alphabet.utf8Start[Int(random & 31)]
        random >>= 5
      }
      for place in (6..<15).reversed() {
        target[place] = alphabet.utf8Start[Int(digits & 31)]
        digits >>= 5
      }
      return 15
    }
  }
}
