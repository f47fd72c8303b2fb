/// Chooses the locales whose tables an archive has, and bakes them.
struct LocaleBaker {
  private let all = LocalePack.all
  /// In the order in which they are given; each once.
  private var tags: [String] = []
  private var offeredCount = 0

  init(_ offered: OfferedLocales) {
    tags = [offered.standard]
    switch offered.others {
    case .some(let others): tags += others
    case .all:
      for locale in 1..<UInt32(all.count) {
        let tag = all.tag(of: locale).text
        if tag != offered.standard { tags.append(tag) }
      }
    }
    offeredCount = tags.count
  }

  /// The number of the locale that cells of this language are written in.
  /// - Parameter language: as the nib says it; nil, and what CLDR does not know, is the standard locale.
  mutating func number(of language: String?) -> UInt32 {
    guard let language, let tag = LocaleTag(language) else { return 0 }
    let nearest = all.nearest(to: tag)
    if nearest == 0 { return 0 }
    let text = all.tag(of: nearest).text
    if let known = tags.firstIndex(of: text) { return UInt32(known) }
    tags.append(text)
    return UInt32(tags.count - 1)
  }

  /// Adds the locales and their tables: those given, and all of the same languages, whose regions requests may ask for.
  func bake(into builder: TableBuilder) {
    let given = tags.compactMap { LocaleTag($0).flatMap(all.find) }
    let baked = (1..<UInt32(all.count)).filter { locale in
      given.count == all.count - 1 || given.contains { all.isSameLanguage($0, locale) }
    }
    let bytes = all.baked(baked)
    guard let pack = LocalePack(FrozenArray(bytes)) else { preconditionFailure("a baked pack is a pack") }
    builder.tables.pack = bytes
    for (number, text) in tags.enumerated() {
      let index = LocaleTag(text).flatMap(pack.find) ?? 0
      builder.tables.locales.append(
        LocaleEntry(tag: builder.literal(text), index: index, isOffered: number < offeredCount ? 1 : 0))
    }
  }
}

extension ArchiveTables {
  /// Whether anything is printed as a locale has it.
  var dependOnLocale: Bool {
    !formats.isEmpty
      || conditions.contains { $0.comparison == ConditionEntry.Comparison.plural.rawValue }
      || paths.contains { $0.isOfLocale }
  }
}

extension PathEntry {
  /// Whether it is `@locale` or `@dir`.
  package var isOfLocale: Bool { root == Root.locale.rawValue || root == Root.direction.rawValue }
}
