import CellTemplates

/// Escaping as one pass that copies while it looks: eight bytes are loaded, judged and stored at a time.
extension ByteBuffer {
  /// Appends `source` through `escaper`. At least `padding` bytes behind the source can be read.
  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer, through escaper: Escaper) {
    switch escaper {
    case .html: appendEscaped(source) { Self.markupBytes($0) | Self.zeroBytes($0) }
    case .text: appendEscaped(source) { Self.markupBytes($0) }
    case .rawHTML: appendEscaped(source) { Self.zeroBytes($0) }
    case .none: append(source)
    }
  }

  /// - Parameter marks: the high bit of each byte of a word that must be escaped; only the lowest mark has to be right.
  @inline(__always)
  private mutating func appendEscaped(_ source: UnsafeRawBufferPointer, marks: (UInt64) -> UInt64) {
    guard let start = source.baseAddress else { return }
    let count = source.count
    // Room for all that is left to copy, and behind it, in the padding, for the rest of a word or an entity.
    reserve(count)
    var place = 0
    while place < count {
      // Eight bytes from a place inside the source: at its end they reach into the padding, and so does the store.
      let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      end.storeBytes(of: word.littleEndian, as: UInt64.self)
      let left = count - place
      var found = marks(word)
      if left < 8 { found &= (1 << UInt64(left * 8)) &- 1 }
      if found == 0 {
        let copied = min(left, 8)
        advance(by: copied)
        place += copied
      } else {
        let clean = found.trailingZeroBitCount / 8
        advance(by: clean)
        place += clean + 1
        appendEntity(for: UInt8(truncatingIfNeeded: word >> UInt64(clean * 8)), beforeCount: count - place)
      }
    }
  }

  /// The high bit of every byte that is 0; a byte above one that is may be marked wrongly, the lowest mark is right.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The same for `& < > " '`: `&` and `'` differ in their lowest bit, `<` and `>` in their second.
  @inline(__always)
  private static func markupBytes(_ word: UInt64) -> UInt64 {
    zeroBytes((word | 0x0101_0101_0101_0101) ^ 0x2727_2727_2727_2727)
      | zeroBytes((word | 0x0202_0202_0202_0202) ^ 0x3E3E_3E3E_3E3E_3E3E)
      | zeroBytes(word ^ 0x2222_2222_2222_2222)
  }

  /// Appends what stands for `byte`, as one word, and keeps room for the `left` bytes that are still to be copied.
  @inline(__always)
  private mutating func appendEntity(for byte: UInt8, beforeCount left: Int) {
    let entity = Self.entity(for: byte)
    reserve(entity.count + left)
    end.storeBytes(of: entity.bytes.littleEndian, as: UInt64.self)
    advance(by: entity.count)
  }

  /// The bytes of a character reference, the first in the lowest place, and how many they are.
  @inline(__always)
  private static func entity(for byte: UInt8) -> (bytes: UInt64, count: Int) {
    switch byte {
    case UInt8(ascii: "&"): (0x3B_706D_6126, 5)  // &amp;
    case UInt8(ascii: "<"): (0x3B_746C_26, 4)  // &lt;
    case UInt8(ascii: ">"): (0x3B_7467_26, 4)  // &gt;
    case UInt8(ascii: "\""): (0x3B74_6F75_7126, 6)  // &quot;
    case UInt8(ascii: "'"): (0x3B_3933_2326, 5)  // &#39;
    default: (0xBD_BFEF, 3)  // U+FFFD, for NUL
    }
  }
}
