import CFormats
import CellTemplates

/// The formats of an archive, made ready for one locale.
///
/// Owns its memory, and frees it in `deinit`. Nothing changes after `init`.
final class LocaleFormats {
  let locale: LocaleInForce
  /// By the archive's numbers, whatever stands in their place in this locale; nil for those that are not drawn in C.
  let ready: UnsafeMutablePointer<OpaquePointer?>
  /// The same as C has them; empty ones for what C does not have.
  let formats: UnsafeMutablePointer<cf_format>
  /// The formats that stand in their place.
  let entries: UnsafeMutablePointer<FormatEntry>
  private let count: Int
  private let memory: UnsafeMutableRawPointer
  private let memoryBytes: Int
  /// The most bytes that any of them draws.
  let boundBytes: Int
  /// The tag and the direction, as `@locale` and `@dir` print them.
  let tag: [UInt8]
  let direction: [UInt8]
  /// By the archive's numbers, whether the words of a list follow the items.
  private let listsFollowItems: [Bool]

  var heldBytes: Int {
    memoryBytes + count * (MemoryLayout<FormatEntry>.stride + MemoryLayout<OpaquePointer?>.stride)
  }

  init(_ locale: LocaleInForce, of archive: CellArchive, _ variants: FormatVariants) {
    guard let pack = archive.pack else { preconditionFailure("the archive has no locales") }
    self.locale = locale
    tag = Array(pack.tag(of: locale.index).text.utf8)
    direction = Array((pack.isRightToLeft(locale.index) ? "rtl" : "ltr").utf8)
    count = archive.formats.count
    ready = .allocate(capacity: count)
    ready.initialize(repeating: nil, count: count)
    formats = .allocate(capacity: count)
    formats.initialize(repeating: cf_format(), count: count)
    entries = .allocate(capacity: count)
    let resolved = (0..<count).map {
      archive.formats[Int(variants.format(UInt32($0), in: locale.index, of: pack))]
    }
    entries.initialize(from: resolved, count: count)
    var offsets: [Int?] = []
    var size = 0
    for entry in resolved {
      guard var format = cf_format(entry) else {
        offsets.append(nil)
        continue
      }
      let bytes = Self.make(&format, locale, pack, nil, 0)
      offsets.append(bytes > 0 ? size : nil)
      size += (bytes + 7) / 8 * 8
    }
    memoryBytes = max(size, 8)
    // Words of lists are copied in whole vectors.
    memory = .allocate(byteCount: memoryBytes + 64, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: memoryBytes + 64)
    var (bound, follow) = (0, [Bool]())
    for (number, entry) in resolved.enumerated() {
      guard let offset = offsets[number], var format = cf_format(entry) else {
        follow.append(false)
        continue
      }
      formats[number] = format
      _ = Self.make(&format, locale, pack, memory + offset, memoryBytes - offset)
      let formatter = OpaquePointer(memory + offset)
      ready[number] = formatter
      bound = max(bound, cf_formatter_bound(formatter))
      follow.append(entry.knownKind == .list && Self.followsItems(formatter))
    }
    boundBytes = bound
    listsFollowItems = follow
  }

  deinit {
    ready.deallocate()
    formats.deallocate()
    entries.deallocate()
    memory.deallocate()
  }

  /// The tag and the direction as strings.
  var texts: (tag: String, direction: String) {
    (String(decoding: tag, as: UTF8.self), String(decoding: direction, as: UTF8.self))
  }

  /// Whether the words of a list depend on the text of an item.
  func followsItems(_ format: UInt32) -> Bool { listsFollowItems[Int(format)] }

  private static func make(
    _ format: inout cf_format, _ locale: LocaleInForce, _ pack: LocalePack,
    _ target: UnsafeMutableRawPointer?,
    _ capacity: Int
  ) -> Int {
    pack.read { tables in
      cf_formatter_make(
        tables.assumingMemoryBound(to: cf_pack.self), locale.index, locale.usesLatinDigits, &format, target,
        capacity)
    }
  }

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

/// What stands in place of formats in some locales.
struct FormatVariants {
  private let archive: CellArchive

  init(_ archive: CellArchive) { self.archive = archive }

  /// What stands in place of a format in a locale: its variant for the locale, or for the nearest of those it inherits
  /// from.
  func format(_ number: UInt32, in locale: UInt32, of pack: LocalePack) -> UInt32 {
    let entry = archive.formats[Int(number)]
    let variants = (0..<Int(entry.variantCount)).map { archive.formatVariants[Int(entry.variantStart) + $0] }
    if variants.isEmpty { return number }
    let found = variants.map { LocaleTag(archive.text($0.locale)).flatMap(pack.find) }
    var locale = locale
    while locale != 0 {
      if let place = found.firstIndex(of: locale) { return variants[place].format }
      locale = pack.parent(of: locale)
    }
    return number
  }
}

extension cf_format {
  /// - Returns: nil for what is not drawn in C.
  init?(_ entry: FormatEntry) {
    self.init()
    let kind: cf_format_kind
    switch entry.knownKind {
    case .number, .integer, .machineNumber: kind = CF_NUMBER
    case .percent: kind = CF_PERCENT
    case .currency: kind = CF_CURRENCY
    case .date, .machineDate: kind = CF_DATE
    case .time: kind = CF_TIME
    case .datetime: kind = CF_DATETIME
    case .relative: kind = CF_RELATIVE
    case .list: kind = CF_LIST
    case .truncate: return nil
    }
    self.kind = UInt8(kind.rawValue)
    if entry.knownKind.takesNumber {
      minimum_digits = entry.leastDigits == noIndex ? UInt8(CF_DIGITS_AUTO) : UInt8(entry.leastDigits)
      maximum_digits = entry.mostDigits == noIndex ? UInt8(CF_DIGITS_AUTO) : UInt8(entry.mostDigits)
      always_sign = entry.has(.signAlways) ? 1 : 0
    }
    if entry.knownKind.takesDate {
      length = UInt8(Self.length(entry).rawValue)
      epoch = entry.has(.epochSeconds) ? 1 : entry.has(.epochMilliseconds) ? 2 : 0
    }
    if entry.knownKind == .list, entry.has(.or) { variant = UInt8(CF_LIST_OR.rawValue) }
    if entry.knownKind == .currency {
      symbol = entry.has(.symbolNarrow) ? 1 : entry.has(.symbolCode) ? 2 : 0
      let code = entry.currency
      currency = (
        UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8),
        UInt8(truncatingIfNeeded: code >> 16), 0
      )
    }
  }

  private static func length(_ entry: FormatEntry) -> cf_length {
    switch FormatEntry.Length(rawValue: entry.length) {
    case .short: CF_SHORT
    case .medium, nil: CF_MEDIUM
    case .long: CF_LONG
    case .full: CF_FULL
    case .monthDay: CF_MONTH_DAY
    case .yearMonth: CF_YEAR_MONTH
    case .weekday: CF_WEEKDAY
    case .monthDayWeekday: CF_MONTH_DAY_WEEKDAY
    case .year: CF_YEAR
    }
  }
}
