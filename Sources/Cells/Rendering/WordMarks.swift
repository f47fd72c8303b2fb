/// Questions about eight bytes at once, for scanners that look for the next byte they cannot copy.
///
/// An answer has the high bit of each byte that is meant. Those of the first group may mark a byte wrongly if a lower
/// one is marked (a borrow runs upward): the lowest mark is always right. Those of the second group are exact.
enum WordMarks {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func all(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  // MARK: The lowest is right

  @inline(__always)
  static func zero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  @inline(__always)
  static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 { zero(word ^ all(byte)) }

  // MARK: Exact

  /// Bytes that do not stand as they are in a URL's query or fragment: all but letters, digits and `- . _ ~`.
  @inline(__always)
  static func notUnreserved(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    let kept =
      within(low | all(0x20), UInt8(ascii: "a"), UInt8(ascii: "z"))
      | within(low, UInt8(ascii: "0"), UInt8(ascii: "9"))
      | within(low, UInt8(ascii: "-"), UInt8(ascii: "."))
      | within(low, UInt8(ascii: "_"), UInt8(ascii: "_"))
      | within(low, UInt8(ascii: "~"), UInt8(ascii: "~"))
    return ~(kept & ~word) & highs
  }

  /// Bytes that do not stand as they are in other parts of a URL in an attribute: all but unreserved ones and
  /// `! # $ * + , / : ; = ? @ [ ]`. `%` and `&` are marked: they stand, but not always as they are.
  @inline(__always)
  static func notURL(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    let second = low | all(2)
    let kept =
      within(low, UInt8(ascii: "*"), UInt8(ascii: ";"))  // * + , - . / 0…9 : ;
      | within(low, UInt8(ascii: "@"), UInt8(ascii: "["))  // @ A…Z [
      | within(low, UInt8(ascii: "a"), UInt8(ascii: "z"))
      | within(low, UInt8(ascii: "#"), UInt8(ascii: "$"))
      | within(low, UInt8(ascii: "!"), UInt8(ascii: "!"))
      | within(low, UInt8(ascii: "~"), UInt8(ascii: "~"))
      | within(second, UInt8(ascii: "?"), UInt8(ascii: "?"))  // = ?
      | within(second, UInt8(ascii: "_"), UInt8(ascii: "_"))  // ] _
    return ~(kept & ~word) & highs
  }

  /// Bytes from `first` to `last`, both below 0x80, of a word whose bytes are; so no carry leaves a byte.
  @inline(__always)
  private static func within(_ low: UInt64, _ first: UInt8, _ last: UInt8) -> UInt64 {
    (low &+ all(0x80 - first)) & ~(low &+ all(0x7F - last)) & highs
  }
}
