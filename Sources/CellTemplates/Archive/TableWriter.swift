/// Appends tables to a file, and their sizes to its directory.
struct TableWriter {
  private(set) var directory: [UInt8] = []
  private(set) var content: [UInt8] = []

  mutating func append<Entry: BitwiseCopyable>(_ entries: [Entry]) {
    directory.append(word: UInt32(MemoryLayout<Entry>.stride))
    directory.append(word: UInt32(entries.count))
    entries.withUnsafeBytes { bytes in
      if MemoryLayout<Entry>.stride == 1 {
        content += bytes
      } else {
        for word in bytes.bindMemory(to: UInt32.self) { content.append(word: word) }
      }
    }
    while content.count % 4 != 0 { content.append(0) }
  }
}
