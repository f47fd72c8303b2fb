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
  private let memory = FormatMemory()
  /// The plurals of each locale. Plans refer to them, so they stay as long as the edition; each takes some hundred bytes.
  private var plurals: [UInt32: UnsafeMutableRawPointer] = [:]

  init(_ archive: CellArchive) {
    self.archive = archive
    table = FormatTable(archive)
  }

  deinit { for memory in plurals.values { memory.deallocate() } }

  /// The memory of the formats of all locales, in bytes.
  var heldBytes: Int { memory.heldBytes }

  /// The formats for a locale.
  func formats(for locale: LocaleInForce) -> LocaleFormats {
    if let known = locales[locale] {
      dropLargest(but: locale)
      return known
    }
    guard let table else { preconditionFailure("the archive has no locales") }
    let formats = LocaleFormats(locale, table, memory)
    locales[locale] = formats
    dropLargest(but: locale)
    return formats
  }

  /// Drops the formats of the locales that have the most, a few locales at a time, while there are too many. Between two calls, one
  /// locale grows, so no more than that is held beyond the limit, however small the others are. Whoever uses some holds them.
  private func dropLargest(but current: LocaleInForce) {
    for _ in 0..<Self.droppedAtOnce where memory.heldBytes > Self.heldLimitBytes {
      let others = locales.lazy.filter { $0.key != current }
      guard let largest = others.max(by: { $0.value.heldBytes < $1.value.heldBytes }) else { return }
      locales[largest.key] = nil
    }
  }

  private static let droppedAtOnce = 2

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
