import CFormats
import CellTemplates

/// Formats of values as C takes them. A kind of format that Swift prints is nil here.
extension cf_format {
  /// - Returns: nil for formats of texts, which are not printed in C.
  init?(_ entry: FormatEntry) {
    self.init()
    let kind: cf_format_kind
    switch entry.knownKind.takes {
    case .number:
      switch entry.knownKind {
      case .percent: kind = CF_PERCENT
      case .currency: kind = CF_CURRENCY
      case .number, .integer, .machineNumber: kind = CF_NUMBER
      case .date, .time, .datetime, .relative, .list, .truncate, .machineDate: return nil
      }
    case .date:
      switch entry.knownKind {
      case .time: kind = CF_TIME
      case .datetime: kind = CF_DATETIME
      case .relative: kind = CF_RELATIVE
      case .machineDate where entry.has(.takesTime): kind = CF_TIME
      case .date, .machineDate: kind = CF_DATE
      case .number, .integer, .percent, .currency, .list, .truncate, .machineNumber: return nil
      }
    case .list: kind = CF_LIST
    case .text: return nil
    }
    self.kind = UInt8(kind.rawValue)
    if entry.knownKind.takes == .number {
      minimum_digits = entry.leastDigits == noIndex ? UInt8(CF_DIGITS_AUTO) : UInt8(entry.leastDigits)
      maximum_digits = entry.mostDigits == noIndex ? UInt8(CF_DIGITS_AUTO) : UInt8(entry.mostDigits)
      always_sign = entry.has(.signAlways) ? 1 : 0
    }
    if entry.knownKind.takes == .date {
      length = UInt8(Self.length(entry).rawValue)
      epoch = entry.has(.epochSeconds) ? 1 : entry.has(.epochMilliseconds) ? 2 : 0
    }
    if entry.knownKind == .list, entry.has(.or) { variant = UInt8(CF_LIST_OR.rawValue) }
    if entry.knownKind == .currency {
      symbol = entry.has(.symbolNarrow) ? 1 : entry.has(.symbolCode) ? 2 : 0
      let code = entry.currency
      currency = (
        UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8),
        UInt8(truncatingIfNeeded: code >> 16), 0
      )
    }
  }

  private static func length(_ entry: FormatEntry) -> cf_length {
    switch FormatEntry.Length(rawValue: entry.length) {
    case .short: CF_SHORT
    case .medium, nil: CF_MEDIUM
    case .long: CF_LONG
    case .full: CF_FULL
    case .monthDay: CF_MONTH_DAY
    case .yearMonth: CF_YEAR_MONTH
    case .weekday: CF_WEEKDAY
    case .monthDayWeekday: CF_MONTH_DAY_WEEKDAY
    case .year: CF_YEAR
    }
  }
}
