/// Reads one table after another. Every length is checked before it is used. The directory has the sizes of entries that
/// this program reads.
struct TableReader {
  let bytes: [UInt8]
  let budget: LoadBudget
  var directory: Int
  var content: Int

  private mutating func next(stride: Int) throws(ArchiveError) -> (start: Int, count: Int) {
    let count = Int(bytes.word(at: directory + 4))
    directory += 8
    let length = count * stride
    let padded = (length + 3) / 4 * 4
    guard padded <= bytes.count - content else { throw .inconsistent("a table extends beyond its end") }
    if !budget.spend(padded), let fault = budget.fault { throw .loadLimit(fault.message, hint: fault.hint) }
    let start = content
    content += padded
    return (start, count)
  }

  mutating func entries<Entry: BitwiseCopyable>() throws(ArchiveError) -> [Entry] {
    let stride = MemoryLayout<Entry>.stride
    let (start, count) = try next(stride: stride)
    if stride == 1 {
      return bytes[start..<start + count].withUnsafeBytes { Array($0.bindMemory(to: Entry.self)) }
    }
    return [Entry](unsafeUninitializedCapacity: count) { entries, initialized in
      // Entries consist of 32-bit words. Each is read as such, so that the byte order is the format's.
      let words = UnsafeMutableRawBufferPointer(entries)
      for offset in Swift.stride(from: 0, to: count * stride, by: 4) {
        words.storeBytes(of: bytes.word(at: start + offset), toByteOffset: offset, as: UInt32.self)
      }
      initialized = count
    }
  }
}
