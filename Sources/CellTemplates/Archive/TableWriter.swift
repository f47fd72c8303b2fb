/// Appends tables to a file, and their sizes to its directory.
struct TableWriter {
  private(set) var directory: [UInt8] = []
  private(set) var content: [UInt8] = []

  mutating func append<Entry: BitwiseCopyable>(_ entries: UnsafeBufferPointer<Entry>) {
    directory.append(word: UInt32(MemoryLayout<Entry>.stride))
    directory.append(word: UInt32(entries.count))
    let bytes = UnsafeRawBufferPointer(entries)
    if MemoryLayout<Entry>.stride == 1 {
      content += bytes
    } else {
      // Entries consist of 32-bit words.
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        content.append(word: bytes.load(fromByteOffset: offset, as: UInt32.self))
      }
    }
    while content.count % 4 != 0 { content.append(0) }
  }
}
