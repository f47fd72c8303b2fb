/// The tables for nibs: outlets, bound attributes, and the descriptions of kinds.
extension ArchiveVerifier {
  /// The most parts around one. Descriptions name all of them for each part. The compiler nests sections and outlets
  /// together 200 deep at most, and so Mustache's tags; what is both may count twice.
  private static let partDepthLimit = 800

  func verifyOutlets() throws(ArchiveError) {
    try spend(tables.outlets.count)
    for outlet in tables.outlets {
      try check(outlet.path < tables.paths.count, "an outlet has an unknown path")
      try check(OutletEntry.Form(rawValue: outlet.form) != nil, "an outlet has an unknown form")
      try check(Escaper(rawValue: outlet.escaper) != nil, "an outlet has an unknown escaper")
      try check(isNameOrNone(outlet.textName), "an outlet has an unknown name")
      try check(isFormatOrNone(outlet.format), "an outlet has an unknown format")
      try check(
        OutletEntry.Held(rawValue: outlet.held) != nil && outlet.startsWithNewline <= 1
          && OutletEntry.Absence(rawValue: outlet.absence) != nil
          && MissingPolicy.Own(rawValue: outlet.missing) != nil, "an outlet has unknown marks")
    }
  }

  func verifyBinds() throws(ArchiveError) {
    for bind in tables.binds {
      try check(isInside(bind.opening), "a bound attribute is outside the literals")
      try check(
        bind.path == noIndex || bind.path < tables.paths.count, "a bound attribute has an unknown path")
      try check(BindEntry.Form(rawValue: bind.form) != nil, "a bound attribute has an unknown form")
      try check(Escaper(rawValue: bind.escaper) != nil, "a bound attribute has an unknown escaper")
      try check(isFormatOrNone(bind.format), "a bound attribute has an unknown format")
      try check(
        BindEntry.Marks.all.isSuperset(of: BindEntry.Marks(rawValue: bind.marks))
          && MissingPolicy.Own(rawValue: bind.missing) != nil, "a bound attribute has unknown marks")
    }
  }

  /// The numbers that conditions compare with, as far as they are verified.
  private struct Numbers {
    var texts: Set<LiteralRef> = []
    var length: UInt64 = 0
  }

  /// - Parameter what: what is wrong if the text is no number.
  private func check(
    _ number: LiteralRef, _ numbers: inout Numbers, _ what: String
  ) throws(ArchiveError) {
    // Many conditions may compare with the same text, but different texts share no bytes.
    guard numbers.texts.insert(number).inserted else { return }
    numbers.length += UInt64(number.count)
    try check(
      numbers.length <= UInt64(tables.literals.count),
      "the numbers of conditions are longer than their texts")
    try check(isInside(number), what)
    try spend(Int(number.count) / 16)
    try check(ConditionLiteralEntry.isNumber(tables.text(number)), what)
  }

  func verifyConditions() throws(ArchiveError) {
    try spend(tables.conditions.count)
    var literals: UInt64 = 0
    var numbers = Numbers()
    for condition in tables.conditions {
      guard let comparison = ConditionEntry.Comparison(rawValue: condition.comparison) else {
        throw .inconsistent("a condition has an unknown comparison")
      }
      try check(condition.path < tables.paths.count, "a condition has an unknown path")
      // Conditions share no literals, so that their number is bounded by the archive's size.
      try check(UInt64(condition.literalStart) == literals, "conditions share literals")
      literals += UInt64(condition.literalCount)
      try check(
        isRun(condition.literalStart, condition.literalCount, of: tables.conditionLiterals.count),
        "a condition has no literals")
      let categories = ConditionEntry.Categories(rawValue: condition.categories)
      if comparison == .plural {
        try check(
          categories.isKnown && categories.ownCount <= condition.literalCount,
          "a plural has unknown categories")
        try check(
          condition.literalCount <= ConditionEntry.pluralNumberLimit,
          "a plural compares with too many numbers")
        let start = Int(condition.literalStart)
        for literal in tables.conditionLiterals[start..<start + Int(condition.literalCount)] {
          try check(
            literal.form == ConditionLiteralEntry.Form.word.rawValue, "a plural compares with no word")
          try check(literal.text, &numbers, "a plural compares with something that is not a number")
        }
        continue
      }
      try check(categories.rawValue == 0, "a condition has categories")
      try check(
        comparison.orders
          ? condition.literalCount == 1 : comparison.compares == (condition.literalCount > 0),
        "a condition has another number of literals")
      if comparison.orders {
        let literal = tables.conditionLiterals[Int(condition.literalStart)]
        if literal.form != ConditionLiteralEntry.Form.path.rawValue {
          try check(
            literal.form == ConditionLiteralEntry.Form.word.rawValue, "a condition's order is of no word")
          try check(literal.text, &numbers, "a condition compares with something that is not a number")
        }
      }
    }
    try check(literals == UInt64(tables.conditionLiterals.count), "literals belong to no condition")
  }

  func verifyConditionLiterals() throws(ArchiveError) {
    try spend(tables.conditionLiterals.count)
    for literal in tables.conditionLiterals {
      guard let form = ConditionLiteralEntry.Form(rawValue: literal.form) else {
        throw .inconsistent("a literal has an unknown form")
      }
      try check(isInside(literal.text), "a literal is outside the literals")
      try check(
        form != .word || literal.text.count <= ConditionLiteralEntry.wordLimitBytes,
        "a condition has too long a word")
      try check(
        form == .path ? literal.path < tables.paths.count : literal.path == noIndex, "a literal has no path")
    }
  }

  func verifyNibs() throws(ArchiveError) {
    try spend(tables.nibs.count)
    var length: UInt64 = 0
    var styles: UInt64 = 0
    for nib in tables.nibs {
      // No two nibs have the same name.
      length += UInt64(nib.name.count)
      try check(length <= UInt64(tables.literals.count), "the nibs are longer than their texts")
      try checkText(nib.name, "a nib's name")
      try check(isRun(nib.styleStart, nib.styleCount, of: tables.texts.count), "a nib's styles are missing")
      // A nib's styles are a part of its file. So the style sheets cannot expand a small archive without limit.
      try spend(Int(nib.styleCount))
      for position in nib.styleStart..<nib.styleStart + nib.styleCount {
        styles += UInt64(tables.texts[Int(position)].count) + 1
      }
      try check(styles <= UInt64(LoadBudget.textLimitBytes), "the styles of the nibs are too long")
    }
  }

  func verifyParts() throws(ArchiveError) {
    try spend(tables.parts.count)
    for part in tables.parts {
      guard let role = PartEntry.Role(rawValue: part.role) else {
        throw .inconsistent("a part has an unknown role")
      }
      for ref in [part.name, part.element, part.placeholder] {
        try checkText(ref, "a part's text")
      }
      if role == .taggedOutlet {
        let digits = bytes(part.name)
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        try check(isNumber && digits.first ?? 0 > UInt8(ascii: "0"), "a tag is not a number")
      }
      let entries =
        switch role {
        case .outlet, .taggedOutlet: tables.outlets.count
        case .bind: tables.binds.count
        case .section, .inverted: tables.paths.count
        case .condition, .plural: tables.conditions.count
        case .variable, .bound, .dynamic, .action, .partial, .parent, .block: 0
        }
      var isKnown = entries == 0 ? part.entry == noIndex : part.entry < entries
      switch role {
      case .variable, .bound, .dynamic:
        if MissingPolicy.Own(rawValue: part.entry) != nil { isKnown = true }
      default: break
      }
      try check(isKnown, "a part has an unknown entry")
      try check(Escaper(rawValue: part.escaper) != nil, "a part has an unknown escaper")
      try check(isFormatOrNone(part.format), "a part has an unknown format")
      try check(part.hasPlaceholder <= 1 && part.isTopLevel <= 1, "a part has unknown marks")
      try check(
        part.isTopLevel == 0 || role == .outlet || role == .taggedOutlet,
        "a part that is not an outlet is marked as top-level")
    }
  }

  func isNameOrNone(_ name: UInt32) -> Bool { name == noIndex || name < tables.names.count }

  func verifyPlace(of kind: KindEntry) throws(ArchiveError) {
    try check(kind.nib == noIndex || kind.nib < tables.nibs.count, "a kind has an unknown nib")
    try check(isRun(kind.classStart, kind.classCount, of: tables.texts.count), "a kind's classes are missing")
    try check(kind.classCount <= KindEntry.classLimit, "a kind has too many classes")
  }

  func verifyParts(of kind: KindEntry) throws(ArchiveError) {
    try check(isRun(kind.partStart, kind.partCount, of: tables.parts.count), "a kind's parts are missing")
    var depths: [Int] = []
    depths.reserveCapacity(Int(kind.partCount))
    for position in 0..<kind.partCount {
      let parent = tables.parts[Int(kind.partStart + position)].parent
      if parent == noIndex {
        depths.append(0)
        continue
      }
      try check(parent < position, "a part is inside one that comes after it")
      let role = PartEntry.Role(rawValue: tables.parts[Int(kind.partStart + parent)].role)
      try check(role?.holdsParts == true, "a part is inside one that cannot contain parts")
      depths.append(depths[Int(parent)] + 1)
      try check(depths[Int(position)] <= Self.partDepthLimit, "parts are nested too deep")
    }
  }
}
