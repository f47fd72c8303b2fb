import CFormats
import CellTemplates

/// The formats of an archive as they are in every locale, and which of them replace others in some.
///
/// Owns its memory, and frees it in `deinit`. Nothing changes after `init`.
final class FormatTable {
  let pack: LocalePack
  let count: Int
  let entries: UnsafePointer<FormatEntry>
  /// The same as C has them; empty ones for what C does not have.
  let formats: UnsafeMutablePointer<cf_format>
  /// By the numbers of formats that have variants: the variants by their locales.
  private var variants: [UInt32: [UInt32: UInt32]] = [:]
  private let archive: CellArchive

  /// - Returns: nil if the archive has no locales.
  init?(_ archive: CellArchive) {
    guard let pack = archive.pack else { return nil }
    let (entries, variantEntries) = (archive.tables.$formats, archive.tables.$formatVariants)
    (self.archive, self.pack, count) = (archive, pack, entries.count)
    self.entries = entries.base
    formats = .allocate(capacity: count)
    for number in 0..<count {
      let entry = entries[number]
      (formats + number).initialize(to: cf_format(entry) ?? cf_format())
      for position in Int(entry.variantStart)..<Int(entry.variantStart) + Int(entry.variantCount) {
        let variant = variantEntries[position]
        // Locales that the archive does not offer are not in its pack.
        guard let locale = LocaleTag(archive.text(variant.locale)).flatMap(pack.find) else { continue }
        variants[UInt32(number), default: [:]][locale] = variant.format
      }
    }
  }

  deinit { formats.deallocate() }

  /// What replaces a format in a locale: its variant for the locale, or for the nearest of those it inherits
  /// from.
  func format(_ number: UInt32, in locale: UInt32) -> UInt32 {
    guard let variants = variants[number] else { return number }
    var locale = locale
    while locale != 0 {
      if let variant = variants[locale] { return variant }
      locale = pack.parent(of: locale)
    }
    return number
  }
}
