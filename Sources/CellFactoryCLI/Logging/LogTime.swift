import Glibc

/// A moment in UTC, to the millisecond.
struct LogTime: Equatable {
  /// Since 1970, leap seconds not counted.
  var milliseconds: Int

  static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
  }

  /// As RFC 3339 writes it: `2026-01-31T12:00:00.123Z`. Years 1970 to 9999.
  func append(to sink: inout some ByteSink) {
    let day = milliseconds / 86_400_000
    let rest = milliseconds % 86_400_000
    let (year, month, dayOfMonth) = Self.date(day)
    Self.append(year, digits: 4, to: &sink)
    sink.append(UInt8(ascii: "-"))
    Self.append(month, digits: 2, to: &sink)
    sink.append(UInt8(ascii: "-"))
    Self.append(dayOfMonth, digits: 2, to: &sink)
    sink.append(UInt8(ascii: "T"))
    Self.append(rest / 3_600_000, digits: 2, to: &sink)
    sink.append(UInt8(ascii: ":"))
    Self.append(rest / 60_000 % 60, digits: 2, to: &sink)
    sink.append(UInt8(ascii: ":"))
    Self.append(rest / 1000 % 60, digits: 2, to: &sink)
    sink.append(UInt8(ascii: "."))
    Self.append(rest % 1000, digits: 3, to: &sink)
    sink.append(UInt8(ascii: "Z"))
  }

  /// The Gregorian date of a day since 1970. Counted in years that begin in March, so that a leap day is a year's last
  /// (H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`).
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

  private static func append(_ number: Int, digits: Int, to sink: inout some ByteSink) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      sink.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
