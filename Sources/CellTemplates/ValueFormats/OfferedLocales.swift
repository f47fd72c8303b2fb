/// The locales that cells are offered in.
package struct OfferedLocales: Sendable, Equatable {
  package enum Others: Sendable, Equatable {
    case some([String])
    /// Every locale of CLDR.
    case all
  }

  /// The most that may be named.
  package static let limit = 1024

  /// The locale of cells whose nib has no `lang`. A tag of CLDR.
  package let standard: String
  package let others: Others

  /// English alone.
  package static let english = OfferedLocales(standard: "en", others: .some([]))

  private init(standard: String, others: Others) { (self.standard, self.others) = (standard, others) }

  /// - Parameters:
  ///   - standard: a tag of CLDR.
  ///   - others: tags of CLDR, separated by commas; `all` for all of them.
  /// - Throws: the first that is none.
  package init(standard: String, others: String = "") throws(UnknownLocale) {
    self.standard = try Self.tag(standard)
    if others == "all" {
      self.others = .all
      return
    }
    var tags: [String] = []
    for part in others.split(separator: ",", omittingEmptySubsequences: false) where others != "" {
      let tag = try Self.tag(part.split(separator: " ").joined(separator: " "))
      if tag != self.standard, !tags.contains(tag) { tags.append(tag) }
      if tags.count > Self.limit { throw UnknownLocale(tag: "more than \(Self.limit) locales") }
    }
    self.others = .some(tags)
  }

  /// A locale that CLDR knows.
  package struct Known: Sendable {
    /// In its usual letters.
    package let tag: String
    /// Its index among all locales of CLDR.
    let index: UInt32
  }

  /// - Returns: nil if CLDR does not know the tag.
  static func known(_ text: String) -> Known? {
    guard let tag = LocaleTag(text), let found = LocalePack.all.find(tag), found != 0 else { return nil }
    return Known(tag: tag.text, index: found)
  }

  private static func tag(_ text: String) throws(UnknownLocale) -> String {
    guard let known = known(text) else { throw UnknownLocale(tag: text) }
    return known.tag
  }

  /// A text that is no tag of a locale that CLDR knows.
  package struct UnknownLocale: Error, Equatable {
    package let tag: String
  }
}
