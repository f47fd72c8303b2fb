/// A character reference at the end of element text, which the next text may continue: `&`, `&l`, `&#3`. It is empty if the text ends in no
/// reference.
///
/// Only its start is kept, which decides what it means: a section may go on with one of any length.
struct UnfinishedReference: Hashable {
  /// From `&` on, as much as the longest name without a semicolon has.
  private var start: [UInt8] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Appends its next byte, which is `&` if it is empty.
  mutating func append(_ byte: UInt8) {
    if count < ReferenceDecoder.unterminatedBytes { start.append(byte) }
    count += 1
  }

  func continues(with byte: UInt8) -> Bool { ReferenceDecoder.continues(start, byte) }

  /// Whether all of it is the end of a text.
  func ends(_ text: [UInt8]) -> Bool {
    !isEmpty && text.count >= count && text.suffix(count).starts(with: start)
  }
}
