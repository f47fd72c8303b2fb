/// Appends tables to a file, and their sizes to its directory.
struct TableWriter {
  private(set) var directory: [UInt8] = []
  private(set) var content: [UInt8] = []

  mutating func append<Row: BitwiseCopyable>(_ rows: [Row]) {
    directory.append(word: UInt32(MemoryLayout<Row>.stride))
    directory.append(word: UInt32(rows.count))
    rows.withUnsafeBytes { bytes in
      if MemoryLayout<Row>.stride == 1 {
        content += bytes
      } else {
        for word in bytes.bindMemory(to: UInt32.self) { content.append(word: word) }
      }
    }
    while content.count % 4 != 0 { content.append(0) }
  }
}

/// Reads one table after another. Every length is checked before it is used.
struct TableReader {
  let bytes: [UInt8]
  let budget: LoadBudget
  var directory: Int
  var content: Int

  private mutating func next(stride: Int) throws(ArchiveError) -> (start: Int, count: Int) {
    let size = Int(bytes.word(at: directory))
    let count = Int(bytes.word(at: directory + 4))
    directory += 8
    guard size == stride else {
      throw .inconsistent("a table has rows of \(size) bytes instead of \(stride)")
    }
    let length = count * stride
    let padded = (length + 3) / 4 * 4
    guard padded <= bytes.count - content else { throw .inconsistent("a table extends beyond its end") }
    if !budget.spend(padded), let fault = budget.fault { throw .loadLimit(fault.message, hint: fault.hint) }
    let start = content
    content += padded
    return (start, count)
  }

  mutating func rows<Row: BitwiseCopyable>() throws(ArchiveError) -> [Row] {
    let stride = MemoryLayout<Row>.stride
    let (start, count) = try next(stride: stride)
    if stride == 1 {
      return bytes[start..<start + count].withUnsafeBytes { Array($0.bindMemory(to: Row.self)) }
    }
    return [Row](unsafeUninitializedCapacity: count) { rows, initialized in
      // Rows consist of 32-bit words. Each is read as such, so that the byte order is the format's.
      let words = UnsafeMutableRawBufferPointer(rows)
      for offset in Swift.stride(from: 0, to: count * stride, by: 4) {
        words.storeBytes(of: bytes.word(at: start + offset), toByteOffset: offset, as: UInt32.self)
      }
      initialized = count
    }
  }
}

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
