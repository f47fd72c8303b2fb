// The numbers of a file are little-endian.
extension [UInt8] {
  mutating func append(word: UInt32) {
    Swift.withUnsafeBytes(of: word.littleEndian) { self += $0 }
  }

  mutating func append(longWord: UInt64) {
    Swift.withUnsafeBytes(of: longWord.littleEndian) { self += $0 }
  }

  func word(at offset: Int) -> UInt32 {
    UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
      | UInt32(self[offset + 3]) << 24
  }

  func longWord(at offset: Int) -> UInt64 {
    UInt64(word(at: offset)) | UInt64(word(at: offset + 4)) << 32
  }
}
