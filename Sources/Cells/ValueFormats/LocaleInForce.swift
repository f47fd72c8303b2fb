package import CellTemplates

/// The locale that formats use.
package struct LocaleInForce: Hashable, Sendable {
  /// Its index in the archive's pack.
  package let index: UInt32
  package let usesLatinDigits: Bool

  init(index: UInt32, usesLatinDigits: Bool = false) {
    self.index = index
    self.usesLatinDigits = usesLatinDigits
  }

  /// A number that differs for different locales; above 0.
  var number: Int64 { Int64(index) &* 2 &+ (usesLatinDigits ? 2 : 1) }
}

extension CellArchive {
  /// The locale for a kind's cells: the best of those it is offered in, in the region that was asked for if the language
  /// is the same. Found once for the kinds that are written in one locale.
  /// - Parameter kind: one that depends on its locale.
  package func locale(of kind: UInt32, for readers: ReaderLocales) -> LocaleInForce {
    readers.locale(from: entry(ofKind: kind).locale) { bestLocale(from: $0, wanted: readers.tags) }
  }

  private func bestLocale(from row: UInt32, wanted: [LocaleTag]) -> LocaleInForce {
    guard let pack else { preconditionFailure("the kind depends on no locale") }
    let source = tables.$locales[Int(row)].index
    if wanted.isEmpty { return LocaleInForce(index: source) }
    guard let match = localeOffers.best(from: row, wanted: wanted) else {
      return LocaleInForce(index: source)
    }
    let tag = wanted[match.wanted]
    let own = pack.nearest(to: tag)
    let index = own != 0 && pack.isSameLanguage(own, match.locale) ? own : match.locale
    return LocaleInForce(index: index, usesLatinDigits: tag.wantsLatinDigits)
  }

  /// The tag of a locale.
  package func tag(of locale: LocaleInForce) -> String {
    guard let pack else { preconditionFailure("no kind depends on a locale") }
    return pack.tag(of: locale.index).text
  }

  /// The tags that a kind is offered in; none if it depends on no locale.
  package func localeTags(of kind: UInt32) -> [String] {
    guard rowUses(of: kind).has(.locale) else { return [] }
    let locales = tables.$locales
    let source = Int(entry(ofKind: kind).locale)
    let others = (0..<locales.count).filter { $0 != source && locales[$0].isOffered == 1 }
    return ([source] + others).map { text(locales[$0].tag) }
  }
}
