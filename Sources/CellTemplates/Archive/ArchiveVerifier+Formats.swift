/// Formats and locales.
extension ArchiveVerifier {
  func verifyFormats() throws(ArchiveError) {
    try spend(tables.formats.count + tables.formatVariants.count)
    try check(tables.formats.count <= FormatEntry.limit, "there are too many formats")
    try check(tables.formatVariants.count <= FormatVariantEntry.limit, "there are too many variants")
    var variants: UInt64 = 0
    for (number, format) in tables.formats.enumerated() {
      guard let kind = FormatKind(rawValue: format.kind) else {
        throw .inconsistent("a format has an unknown kind")
      }
      try checkText(format.text, "a format")
      try check(
        FormatEntry.Length(rawValue: format.length) != nil
          && FormatEntry.Marks.all.isSuperset(of: FormatEntry.Marks(rawValue: format.marks)),
        "a format has unknown options")
      try check(
        format.leastDigits == noIndex
          ? format.mostDigits == noIndex
          : format.leastDigits <= format.mostDigits && format.mostDigits <= FormatEntry.digitLimit,
        "a format has other digits than there can be")
      try check(
        kind == .truncate
          ? format.characters > 0 && format.characters <= FormatEntry.characterLimit : format.characters == 0,
        "a format keeps another number of characters than it can")
      try check(
        format.currencyPath == noIndex || format.currencyPath < tables.paths.count,
        "a format has an unknown path")
      try check(
        kind == .currency
          ? (format.currency == 0) != (format.currencyPath == noIndex) && format.hasCode
          : format.currency == 0 && (kind == .machineNumber || format.currencyPath == noIndex),
        "a format has another currency than it can")
      try check(
        format.variantCount == 0 || UInt64(format.variantStart) == variants, "formats share variants")
      variants += UInt64(format.variantCount)
      try check(
        isRun(format.variantStart, format.variantCount, of: tables.formatVariants.count),
        "a format has no variants")
      var locales: Set<String> = []
      let first = Int(format.variantStart)
      for variant in tables.formatVariants[first..<first + Int(format.variantCount)] {
        // It has none of its own, so that looking for one ends.
        try check(
          variant.format < number && tables.formats[Int(variant.format)].variantCount == 0,
          "a format's variant is unknown")
        try check(
          FormatKind(rawValue: tables.formats[Int(variant.format)].kind)?.isVariant(of: kind) == true,
          "a format's variant is of another kind")
        try check(
          isInside(variant.locale) && variant.locale.count <= LocaleEntry.tagLimitBytes,
          "a format's variant has no locale")
        guard let locale = LocaleTag(bytes(variant.locale)), locales.insert(locale.text).inserted else {
          throw .inconsistent("a format's variants have no locales of their own")
        }
      }
    }
    try check(variants == UInt64(tables.formatVariants.count), "variants belong to no format")
  }

  func verifyLocales() throws(ArchiveError) {
    try spend(tables.locales.count + tables.pack.count / 8)
    guard tables.dependOnLocale else {
      return try check(tables.locales.isEmpty && tables.pack.isEmpty, "locales belong to no format")
    }
    guard let pack = LocalePack(FrozenArray(tables.pack)) else {
      throw .inconsistent("the tables of locales are damaged")
    }
    try check(tables.locales.first?.isOffered == 1, "no locale is offered")
    try check(tables.locales.count <= pack.count + 1, "there are more locales than tables")
    for locale in tables.locales {
      try check(locale.index < pack.count && locale.isOffered <= 1, "a locale has no tables")
      try check(
        isInside(locale.tag) && locale.tag.count <= LocaleEntry.tagLimitBytes, "a locale has no tag")
    }
    for kind in tables.kinds { try check(kind.locale < tables.locales.count, "a kind has no locale") }
  }

  /// A format that prints a value, and is no list of elements.
  func isFormatOrNone(_ format: UInt32) -> Bool { format == noIndex || format < tables.formats.count }
}

extension FormatEntry {
  /// Whether its currency is none, or three capital letters.
  fileprivate var hasCode: Bool {
    if currency == 0 { return true }
    let letters = [currency & 0xFF, currency >> 8 & 0xFF, currency >> 16]
    return letters.allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
  }
}
