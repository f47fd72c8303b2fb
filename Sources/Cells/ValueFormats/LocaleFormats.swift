import CFormats
import CellTemplates

/// The formats of an archive in one locale, each made ready when it is first used: a request that asks for many locales
/// pays for what its rows print.
///
/// Owns what it makes, and frees it in `deinit`. Confined to its factory's thread.
final class LocaleFormats {
  let locale: LocaleInForce
  /// By the archive's numbers, whatever replaces them in this locale; nil for those that were not used yet, or are
  /// not printed in C.
  let ready: UnsafeMutablePointer<OpaquePointer?>
  /// The formats that replace them, by the archive's numbers; `noIndex` for those that were not looked for yet.
  private let resolved: UnsafeMutablePointer<UInt32>
  private let table: FormatTable
  private let memory: FormatMemory
  /// The most bytes that any of the ready ones prints.
  private(set) var boundBytes = 0
  /// The memory of the ready ones and of the tables, in bytes.
  private(set) var heldBytes: Int
  /// The tag and the direction, as `@locale` and `@dir` print them.
  let tag: [UInt8]
  let direction: [UInt8]
  /// The ready lists whose words follow the items.
  private var listsThatFollow: Set<UInt32> = []

  init(_ locale: LocaleInForce, _ table: FormatTable, _ memory: FormatMemory) {
    (self.locale, self.table, self.memory) = (locale, table, memory)
    tag = Array(table.pack.tag(of: locale.index).text.utf8)
    direction = Array((table.pack.isRightToLeft(locale.index) ? "rtl" : "ltr").utf8)
    ready = .allocate(capacity: table.count)
    ready.initialize(repeating: nil, count: table.count)
    resolved = .allocate(capacity: table.count)
    resolved.initialize(repeating: noIndex, count: table.count)
    heldBytes = table.count * (MemoryLayout<OpaquePointer?>.stride + MemoryLayout<UInt32>.stride)
    memory.heldBytes += heldBytes
  }

  deinit {
    for number in 0..<table.count { ready[number].map { UnsafeMutableRawPointer($0).deallocate() } }
    ready.deallocate()
    resolved.deallocate()
    memory.heldBytes -= heldBytes
  }

  /// The tag and the direction as strings.
  var texts: (tag: String, direction: String) {
    (String(decoding: tag, as: UTF8.self), String(decoding: direction, as: UTF8.self))
  }

  /// The number of the format that replaces one in this locale.
  func number(_ format: UInt32) -> UInt32 {
    let position = resolved + Int(format)
    if position.pointee == noIndex { position.pointee = table.format(format, in: locale.index) }
    return position.pointee
  }

  /// The format that replaces one in this locale. Valid as long as the archive.
  func entry(_ format: UInt32) -> UnsafePointer<FormatEntry> { table.entries + Int(number(format)) }

  /// Makes a format ready, in microseconds.
  /// - Returns: nil if it is not printed in C.
  func make(_ number: UInt32) -> OpaquePointer? {
    let entry = entry(number).pointee
    guard ready[Int(number)] == nil, var format = cf_format(entry) else { return ready[Int(number)] }
    let formatter = withUnsafeTemporaryAllocation(byteCount: Int(CF_FORMATTER_BYTES_LIMIT), alignment: 8) {
      target -> OpaquePointer? in
      let bytes = table.pack.read { tables in
        cf_formatter_make(
          tables.assumingMemoryBound(to: cf_pack.self), locale.index, locale.usesLatinDigits, &format,
          target.baseAddress, target.count)
      }
      if bytes == 0 || bytes > target.count { return nil }
      // Words of lists are copied in whole vectors.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes + 64, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes + 64)
      memory.copyMemory(from: target.baseAddress!, byteCount: bytes)
      heldBytes += bytes + 64
      self.memory.heldBytes += bytes + 64
      return OpaquePointer(memory)
    }
    guard let formatter else { return nil }
    ready[Int(number)] = formatter
    boundBytes = max(boundBytes, cf_formatter_bound(formatter))
    if entry.knownKind == .list, Self.followsItems(formatter) { listsThatFollow.insert(number) }
    return formatter
  }

  /// Whether the words of a list that is ready depend on the text of an item.
  func followsItems(_ format: UInt32) -> Bool { listsThatFollow.contains(format) }

  /// Whether words differ before items that begin with other letters: Spanish `y`, `e`, `o`, `u`, and Hebrew.
  private static func followsItems(_ formatter: OpaquePointer) -> Bool {
    let words = ["x", "i", "hi", "o", "8", "\u{5D0}", "1"].map { next in
      let next = Array(next.utf8)
      return [(1, 2), (2, 3)].map { index, count in
        let words = cf_list_words(formatter, index, count, next, next.count)
        return Array(UnsafeBufferPointer(start: words.bytes, count: words.count))
      }
    }
    return words.contains { $0 != words[0] }
  }
}

/// The memory that the formats of all locales take.
///
/// Confined to a factory's thread.
final class FormatMemory {
  var heldBytes = 0
}
