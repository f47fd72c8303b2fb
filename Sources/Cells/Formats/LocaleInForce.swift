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
  /// is the same.
  /// - Parameters:
  ///   - kind: one that depends on its locale.
  ///   - wanted: the reader's, best first.
  package func locale(of kind: UInt32, wanted: [LocaleTag]) -> LocaleInForce {
    guard let pack else { preconditionFailure("the kind depends on no locale") }
    let source = locales[Int(kinds[Int(kind)].locale)].index
    if wanted.isEmpty { return LocaleInForce(index: source) }
    let offered = [source] + (0..<locales.count).map { locales[$0] }.filter { $0.isOffered == 1 }.map(\.index)
    guard let match = pack.match(offered, wanted: wanted) else { return LocaleInForce(index: source) }
    let tag = wanted[match.wanted]
    let chosen = offered[match.offered]
    let own = pack.nearest(to: tag)
    let index = own != 0 && pack.isSameLanguage(own, chosen) ? own : chosen
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
    let source = Int(kinds[Int(kind)].locale)
    let others = (0..<locales.count).filter { $0 != source && locales[$0].isOffered == 1 }
    return ([source] + others).map { text(locales[$0].tag) }
  }
}
