import Cells
import CellTemplates

/// The locale, time zone and time that formats use for the rows of a request: what its envelope, its query and its headers say, and
/// the settings.
package struct RenderTerms {
  /// For rows that say nothing themselves.
  let setting: RenderSetting
  /// Whether envelope or query chose the locale.
  let isLocaleChosen: Bool
  /// Whether the time was given.
  let isNowGiven: Bool
  private let timeZones: TimeZoneSource

  /// - Returns: nil if no row of a batch depends on its locale or the time.
  /// - Throws: `.badRequest` if the time zone is unknown.
  static func ofBatch(
    _ batch: borrowing Batch, in archive: CellArchive, _ controls: Controls, acceptLanguage: String?,
    _ settings: RowSettings
  ) throws(Problem) -> RenderTerms? {
    if case .data(let kind) = batch.content, !archive.rowUses(of: kind).has(.locale),
      batch.reading.timeZone == nil, controls.timeZone == nil
    {
      return nil
    }
    return try RenderTerms(controls, acceptLanguage: acceptLanguage, batch.reading, settings)
  }

  /// - Throws: `.badRequest` if the time zone is unknown.
  private init(
    _ controls: Controls, acceptLanguage: String?, _ sent: Batch.Reading, _ settings: RowSettings
  ) throws(Problem) {
    timeZones = settings.timeZones
    let locale = sent.locale ?? controls.locale
    isLocaleChosen = locale != nil
    let now = sent.now ?? controls.now
    isNowGiven = now != nil
    var setting = RenderSetting()
    let wanted = locale.map { [$0] } ?? AcceptedLanguages.tags(acceptLanguage)
    if !wanted.isEmpty { setting.locales = ReaderLocales(wanted) }
    let seconds = now ?? WallClock.seconds()
    let zones = settings.timeZones.current
    let zone = controls.timeZone ?? settings.timeZone
    guard
      let clock = sent.timeZone.map({ RenderClock(zone: $0, now: seconds, in: zones) })
        ?? RenderClock(zone: zone, now: seconds, in: zones)
    else {
      throw Self.unknownZone(
        sent.timeZone ?? Array(zone.utf8), pointer: sent.timeZone == nil ? nil : "/timeZone")
    }
    setting.clock = clock
    self.setting = setting
  }

  /// The setting for an item that says something itself.
  /// - Returns: nil if there is no such zone.
  func setting(locale: LocaleTag?, timeZone: UnsafeRawBufferPointer?) -> RenderSetting? {
    var setting = setting
    if let locale { setting.locales = ReaderLocales([locale]) }
    guard let timeZone else { return setting }
    guard let clock = RenderClock(zone: timeZone, now: setting.clock.now, in: timeZones.current) else {
      return nil
    }
    setting.clock = clock
    return setting
  }

  /// Lets the factory read the rows of a kind as the request says.
  /// - Returns: the language of the answer; none if the kind does not depend on its locale.
  func begin(_ kind: UInt32, in archive: CellArchive, _ factory: isolated CellFactory) -> AnswerLanguages {
    var languages = AnswerLanguages()
    guard archive.rowUses(of: kind).has(.locale) else { return languages }
    factory.use(setting, for: kind)
    languages.note(
      archive.locale(of: kind, for: setting.locales), in: archive, isChosen: isLocaleChosen,
      isByClock: !isNowGiven && archive.rowUses(of: kind).has(.now))
    return languages
  }

  // MARK: What is refused

  package static func unknownZoneDetail(_ zone: some Collection<UInt8>) -> String {
    "there is no time zone \(Excerpt.quoted(String(decoding: zone.prefix(Excerpt.limitBytes + 1), as: UTF8.self))); "
      + "send a name such as Europe/Berlin, or an offset such as +02:00"
  }

  package static func malformedLocaleDetail(_ tag: some Collection<UInt8>) -> String {
    "\(Excerpt.quoted(String(decoding: tag.prefix(Excerpt.limitBytes + 1), as: UTF8.self))) is not a language tag; "
      + "send one such as de or pt-BR"
  }

  package static func malformedNowDetail(_ time: some Collection<UInt8>) -> String {
    "\(Excerpt.quoted(String(decoding: time.prefix(Excerpt.limitBytes + 1), as: UTF8.self))) is not a valid time; "
      + "send one with an offset, such as 2025-10-09T12:00:00Z"
  }

  private static func unknownZone(_ zone: [UInt8], pointer: String?) -> Problem {
    let detail = unknownZoneDetail(zone)
    var problem = Problem(.badRequest, detail: detail)
    if let pointer { problem.add(Problem.Entry(pointer: pointer, code: .badRequest, detail: detail)) }
    return problem
  }
}

extension Batch {
  /// What an envelope says of the locale, time zone and time of its rows.
  struct Reading {
    var locale: LocaleTag?
    /// As sent, or longer than the name of any zone and cut.
    var timeZone: [UInt8]?
    /// Seconds since 1970.
    var now: Int64?
  }
}
