import CFormats
import CellTemplates

/// The formats of an edition, for each locale in which rows were rendered.
///
/// Confined to its factory's thread.
final class FormatShelf {
  /// The memory that ready formats may take before they are dropped, in bytes. Those of one locale are always kept.
  private static let heldLimitBytes = 8 << 20

  let archive: CellArchive
  /// nil if the archive has no locales.
  let table: FormatTable?
  private var locales: [LocaleInForce: LocaleFormats] = [:]
  /// Their keys from `oldest` on, in the order in which they were made.
  private var made: [LocaleInForce] = []
  private var oldest = 0
  private let memory = FormatMemory()
  /// The plurals of each locale. Plans refer to them, so they stay as long as the edition; each takes some hundred bytes.
  private var plurals: [UInt32: UnsafeMutableRawPointer] = [:]

  init(_ archive: CellArchive) {
    self.archive = archive
    table = FormatTable(archive)
  }

  deinit { for memory in plurals.values { memory.deallocate() } }

  /// The formats for a locale.
  func formats(for locale: LocaleInForce) -> LocaleFormats {
    if let known = locales[locale] {
      dropOldest(but: locale)
      return known
    }
    guard let table else { preconditionFailure("the archive has no locales") }
    let formats = LocaleFormats(locale, table, memory)
    locales[locale] = formats
    made.append(locale)
    dropOldest(but: locale)
    return formats
  }

  /// Drops formats that were made first while there are too many, a few at a time: each locale has some for each of the archive's
  /// formats. Whoever uses some holds them.
  private func dropOldest(but current: LocaleInForce) {
    for _ in 0..<Self.droppedAtOnce where memory.heldBytes > Self.heldLimitBytes && locales.count > 1 {
      let next = made[oldest]
      oldest += 1
      if next == current { made.append(next) } else { locales[next] = nil }
    }
    if oldest > made.count / 2 {
      made.removeFirst(oldest)
      oldest = 0
    }
  }

  private static let droppedAtOnce = 4

  /// The plurals of cardinal and ordinal numbers in a locale. Valid as long as this object.
  func plurals(of locale: LocaleInForce) -> (cardinal: OpaquePointer, ordinal: OpaquePointer) {
    let bytes = Self.pluralBytes
    let memory = plurals[locale.index] ?? makePlurals(of: locale)
    return (OpaquePointer(memory), OpaquePointer(memory + bytes))
  }

  /// Room for the plurals of any locale: a few rules.
  private static let pluralBytes = 4096

  private func makePlurals(of locale: LocaleInForce) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * Self.pluralBytes, alignment: 8)
    for (position, variant) in [CF_CARDINAL, CF_ORDINAL].enumerated() {
      var format = cf_format()
      format.kind = UInt8(CF_PLURAL.rawValue)
      format.variant = UInt8(variant.rawValue)
      // Rules that take more are those of no language; then there is one category.
      let isMade =
        archive.pack.map { make(&format, $0, locale.index, memory + position * Self.pluralBytes) } ?? false
      if !isMade, !make(&format, .all, 0, memory + position * Self.pluralBytes) {
        preconditionFailure("the root's plurals have room")
      }
    }
    plurals[locale.index] = memory
    return memory
  }

  private func make(
    _ format: inout cf_format, _ pack: LocalePack, _ locale: UInt32, _ target: UnsafeMutableRawPointer
  ) -> Bool {
    let written = pack.read { tables in
      cf_formatter_make(
        tables.assumingMemoryBound(to: cf_pack.self), locale, false, &format, target, Self.pluralBytes)
    }
    return written > 0 && written <= Self.pluralBytes
  }
}
