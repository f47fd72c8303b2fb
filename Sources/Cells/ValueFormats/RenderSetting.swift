import CFormats
package import CellTemplates
import Synchronization

/// The locale, time zone and time that formats depend on besides the values.
package struct RenderSetting: Sendable {
  package var locales = ReaderLocales.none
  package var clock = RenderClock.utc

  package init() {}
}

/// The locales that a reader wants, and what was chosen for them. Belongs to one archive.
package final class ReaderLocales: Sendable {
  /// Best first; empty if nothing was asked for.
  package let tags: [LocaleTag]
  /// By the locale that a kind is written in, so never more than the archive has. Locked, because a request may be read on
  /// one thread and rendered on another.
  private let chosen = Mutex<[UInt32: LocaleInForce]>([:])

  /// Nothing is asked for. Shared by all archives, because nothing is chosen.
  package static let none = ReaderLocales([])

  package init(_ tags: [LocaleTag]) { self.tags = tags }

  /// The locale for kinds that are written in the locale of a row of the archive's table.
  func locale(from row: UInt32, choose: (UInt32) -> LocaleInForce) -> LocaleInForce {
    if tags.isEmpty { return choose(row) }
    if let known = chosen.withLock({ $0[row] }) { return known }
    let locale = choose(row)
    chosen.withLock { $0[row] = locale }
    return locale
  }
}

/// A time zone and a time.
package struct RenderClock: @unchecked Sendable {
  // Sendable because it is copied, and points into the zones only, which it holds.
  let clock: cf_clock
  private let zones: TimeZones?

  /// UTC, at the beginning of 1970.
  package static let utc = RenderClock(zone: "UTC", now: 0, in: nil)!

  /// - Parameters:
  ///   - zone: the name of a zone, or an offset.
  ///   - now: seconds since 1970.
  ///   - zones: nil if only `UTC` and offsets are known.
  /// - Returns: nil if there is no such zone.
  package init?(zone: some Collection<UInt8>, now: Int64, in zones: TimeZones?) {
    var clock = cf_clock()
    let isKnown =
      zone.withContiguousStorageIfAvailable { Self.start(&clock, zone: $0, now: now, zones) }
      ?? Array(zone).withUnsafeBufferPointer { Self.start(&clock, zone: $0, now: now, zones) }
    guard isKnown else { return nil }
    self.clock = clock
    self.zones = zones
  }

  private static func start(
    _ clock: inout cf_clock, zone: UnsafeBufferPointer<UInt8>, now: Int64, _ zones: TimeZones?
  ) -> Bool {
    guard let name = zone.baseAddress else { return false }
    return cf_clock_start(&clock, zones?.zones, name, zone.count, now)
  }

  package init?(zone: String, now: Int64, in zones: TimeZones?) {
    self.init(zone: zone.utf8, now: now, in: zones)
  }

  /// Seconds since 1970.
  package var now: Int64 { clock.now }

  /// The most bytes of an instant: digits of a second's fraction may be many.
  private static let limitBytes = 128

  /// Reads an instant of RFC 3339.
  /// - Returns: seconds since 1970, cut; nil if the text is not an instant, or has more bytes than one may have.
  package static func instant(_ text: some Collection<UInt8>) -> Int64? {
    guard text.count <= Self.limitBytes else { return nil }
    let bytes = Array(text)
    var seconds: Int64 = 0
    return cf_read_instant(bytes, bytes.count, &seconds) ? seconds : nil
  }
}
