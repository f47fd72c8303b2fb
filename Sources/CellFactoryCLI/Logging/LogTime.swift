import Glibc

/// A time in UTC with millisecond precision.
struct LogTime: Equatable {
  /// Since 1970, without leap seconds.
  var milliseconds: Int

  static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
  }

  /// Appends the time in RFC 3339 format: `2026-01-31T12:00:00.123Z`. Valid for the years 1970 to 9999.
  func append(to sink: inout some ByteSink) {
    let day = milliseconds / 86_400_000
    let rest = milliseconds % 86_400_000
    let (year, month, dayOfMonth) = Self.date(day)
    Self.append(year / 100, then: nil, to: &sink)
    Self.append(year % 100, then: "-", to: &sink)
    Self.append(month, then: "-", to: &sink)
    Self.append(dayOfMonth, then: "T", to: &sink)
    Self.append(rest / 3_600_000, then: ":", to: &sink)
    Self.append(rest / 60_000 % 60, then: ":", to: &sink)
    Self.append(rest / 1000 % 60, then: ".", to: &sink)
    Self.append(rest % 1000 / 10, then: nil, to: &sink)
    sink.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    sink.append(UInt8(ascii: "Z"))
  }

  /// Converts days since 1970 to a Gregorian date. Years are counted from March, so that a leap day is the
  /// last day of a year (H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`).
  private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let isNextYear = month >= 10
    return (yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, dayOfMonth)
  }

  /// - Parameter number: has two digits.
  private static func append(_ number: Int, then separator: Unicode.Scalar?, to sink: inout some ByteSink) {
    let number = UInt8(truncatingIfNeeded: number)
    sink.append(UInt8(ascii: "0") + number / 10)
    sink.append(UInt8(ascii: "0") + number % 10)
    if let separator { sink.append(UInt8(ascii: separator)) }
  }
}
