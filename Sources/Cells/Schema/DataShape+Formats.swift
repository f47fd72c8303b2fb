import CellTemplates

/// How values are shown, and what fits.
extension DataShape {
  /// The formats that show a value.
  struct Formats: Equatable {
    /// The most that are kept.
    static let limit = 8

    /// Numbers of formats, each once, in the template's order.
    private(set) var numbers: [UInt32] = []
    /// Where another format names it as its currency.
    var currency: CurrencyUse?

    var isEmpty: Bool { numbers.isEmpty && currency == nil }

    mutating func add(_ other: Formats) {
      for number in other.numbers { add(number) }
      // What one format names in each locale is a currency, whatever another names.
      if currency != .inEachLocale { currency = other.currency ?? currency }
    }

    mutating func add(_ number: UInt32) {
      if numbers.count < Self.limit, !numbers.contains(number) { numbers.append(number) }
    }
  }

  /// Where a format names a value as its currency.
  enum CurrencyUse {
    case inEachLocale
    /// The format that a locale has in its place names another currency, or none.
    case inSomeLocales
  }

  /// A part that is the name of a format's currency.
  struct CurrencyName {
    let use: CurrencyUse
    /// The part whose value has the format.
    let shown: PartEntry
  }

  /// What fits the formats of a value.
  enum Fit {
    /// A number, or a string that reads as one.
    case number
    /// A date, an instant or a local time.
    case date
    /// Three capital letters.
    case currency
  }

  /// What a part says of the value that it names.
  /// - Parameter currency: whether it is the name of a format's currency.
  func formats(of part: PartEntry, currency: CurrencyUse?) -> Formats {
    var formats = Formats()
    if part.format != noIndex { formats.add(part.format) }
    formats.currency = currency
    return formats
  }

  /// The positions of parts that are names of currencies: those of a format come before the value.
  func currencies(among parts: [PartEntry]) -> [Int: CurrencyName] {
    var names: [UInt32: [[UInt8]: CurrencyUse]] = [:]
    var found: [Int: CurrencyName] = [:]
    for (position, part) in parts.enumerated() where part.format != noIndex && budget?.spend() != false {
      let currencies = names[part.format] ?? currencies(of: part.format)
      names[part.format] = currencies
      var next = position - 1
      while next >= 0, parts[next].format == noIndex,
        Self.position(of: parts[next]) == Self.position(of: part),
        let use = currencies[Array(archive.bytes(parts[next].name))]
      {
        found[next] = CurrencyName(use: use, shown: part)
        next -= 1
      }
    }
    return found
  }

  /// The names of the currencies that a format reads, in any locale.
  private func currencies(of format: UInt32) -> [[UInt8]: CurrencyUse] {
    let entry = archive.tables.$formats[Int(format)]
    let variants = Int(entry.variantStart)..<Int(entry.variantStart) + Int(entry.variantCount)
    let paths =
      [entry.currencyPath]
      + variants.map { variant in
        archive.tables.$formats[Int(archive.tables.$formatVariants[variant].format)].currencyPath
      }
    let use: CurrencyUse = Set(paths).count == 1 ? .inEachLocale : .inSomeLocales
    return Dictionary(
      paths.filter { $0 != noIndex }.map { path in
        (Array(archive.bytes(archive.tables.$paths[Int(path)].text)), use)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The formats of a member's value: those of its name, and of `.` where it is the context.
  func formats(of member: Member) -> Formats {
    var formats = member.formats
    if let level = member.level { formats.add(levels[level].formats) }
    return formats
  }

  /// The formats of the items of a member's value: elements are repeated with their format, sections with what is in them.
  func formats(ofItemsOf member: Member) -> Formats {
    if member.uses.contains(.outlet) { return formats(of: member) }
    return member.level.map { levels[$0].formats } ?? Formats()
  }

  /// What fits all formats of a value; nil if they differ, or take any text.
  func fit(of formats: Formats) -> Fit? {
    var fits: Set<Fit?> = []
    if formats.currency == .inEachLocale { fits.insert(.currency) }
    for number in formats.numbers { fits.insert(self.fits[Int(number)]) }
    return fits.count == 1 ? fits.first! : nil
  }

  /// What fits each format in every locale.
  static func fits(of archive: CellArchive) -> [Fit?] {
    let (formats, variants) = (archive.tables.$formats, archive.tables.$formatVariants)
    return (0..<formats.count).map { number in
      let (entry, first) = (formats[number], Int(formats[number].variantStart))
      let own = fit(of: entry)
      let others = (first..<first + Int(entry.variantCount)).lazy.map {
        fit(of: formats[Int(variants[$0].format)])
      }
      return others.allSatisfy { $0 == own } ? own : nil
    }
  }

  private static func fit(of format: FormatEntry) -> Fit? {
    // Seconds since 1970 are numbers.
    if format.has(.epochSeconds) || format.has(.epochMilliseconds) { return .number }
    return switch format.knownKind.takes {
    case .number: .number
    case .date: .date
    case .list, .text: nil
    }
  }

  /// Whether a format shows the items of a list.
  func takesList(_ formats: Formats) -> Bool {
    formats.numbers.contains { archive.tables.$formats[Int($0)].knownKind == .list }
  }

  /// Formats as they are written, each once.
  func words(of formats: Formats) -> [String] {
    var words: [String] = []
    for number in formats.numbers {
      let text = archive.text(archive.tables.$formats[Int(number)].text)
      if !words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { words.append(text) }
    }
    return words
  }

  /// Whether a format shows the value and nothing else is done with it, so that a list or an object never fits.
  func isFormattedAlone(_ member: Member) -> Bool {
    member.uses.subtracting([.frequencies, .uncertain, .escapedText]) == .value && !member.isPrintedAsIs
  }
}
