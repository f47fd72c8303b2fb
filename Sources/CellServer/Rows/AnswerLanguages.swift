import CellTemplates
import Cells

/// The languages of an answer, and what it depends on.
struct AnswerLanguages {
  /// More are not reported.
  private static let toldLimit = 64

  private var tags: [String] = []
  private var seen: Set<LocaleInForce> = []
  private var variesByHeader = false
  private var isByClock = false

  /// Adds the locale of a row of a kind that depends on it.
  /// - Parameter isChosen: whether the request chose it, rather than a header.
  mutating func note(
    _ locale: LocaleInForce, in archive: CellArchive, isChosen: Bool, isByClock: Bool
  ) {
    if !isChosen { variesByHeader = true }
    if isByClock { self.isByClock = true }
    if seen.count == Self.toldLimit || !seen.insert(locale).inserted { return }
    let tag = archive.tag(of: locale)
    if !tags.contains(tag) { tags.append(tag) }
  }

  /// Adds the headers that say this.
  func apply(to answer: inout Answer) {
    if tags.isEmpty { return }
    answer.headers.append(("Content-Language", tags.joined(separator: ", ")))
    if variesByHeader { answer.varies.insert(.acceptLanguage) }
    if isByClock { answer.headers.append(("Cache-Control", "no-cache")) }
  }
}
