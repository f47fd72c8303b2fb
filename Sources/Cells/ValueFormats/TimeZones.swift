import CFormats
import Synchronization

/// The time zones of a folder of TZif files, as they were when it was read.
package final class TimeZones: @unchecked Sendable {
  // Sendable because nothing changes after `init`. Freed in `deinit`; clocks hold this object.
  let zones: OpaquePointer

  /// - Parameter folder: such as `/usr/share/zoneinfo`.
  /// - Returns: nil if it has no zones.
  package init?(folder: String) {
    guard let zones = cf_zones_load(folder) else { return nil }
    self.zones = zones
  }

  deinit { cf_zones_free(zones) }

  /// The number of names.
  package var count: Int { cf_zones_count(zones) }

  /// Whether some could not be read, although they are there.
  package var isPartial: Bool { cf_zones_are_partial(zones) }

  /// The version of the data; empty if it is unknown.
  package var version: String { String(cString: cf_zones_version(zones)) }
}

/// The time zones in use. They are read when first asked for, and again on `reload`.
///
/// Shared by all threads; its lock protects what it has read.
package final class TimeZoneSource: Sendable {
  private struct State {
    var isRead = false
    var zones: TimeZones?
  }

  /// The folder that the C library would use.
  package static let standard = TimeZoneSource(folder: nil)

  private let folder: String
  private let state = Mutex(State())

  /// - Parameter folder: nil for `TZDIR`, or else `/usr/share/zoneinfo`.
  package init(folder: String?) {
    self.folder = folder ?? Environment.value("TZDIR") ?? "/usr/share/zoneinfo"
  }

  /// The zones; nil if there are none, so that only `UTC` and offsets are known.
  package var current: TimeZones? {
    state.withLock { state in
      if !state.isRead { state = State(isRead: true, zones: TimeZones(folder: folder)) }
      return state.zones
    }
  }

  /// Why the folder cannot be used any more.
  package enum ReadFault: Error, CustomStringConvertible {
    /// It has a zone no longer that is in use.
    case missing(zone: String, folder: String)
    /// It cannot be read, or not wholly. Perhaps it is being replaced.
    case unreadable(folder: String)

    package var description: String {
      switch self {
      case .missing(let zone, let folder): "the time zone \(zone) is not in \(folder) any more"
      case .unreadable(let folder): "the time zones in \(folder) cannot all be read any more"
      }
    }
  }

  /// Reads the folder again. `use` takes the zones.
  /// - Parameter zone: a zone that must be there.
  /// - Returns: nil if there are none, as before.
  package func reread(needing zone: String) throws(ReadFault) -> TimeZones? {
    let zones = TimeZones(folder: folder)
    if zones?.isPartial == true { throw .unreadable(folder: folder) }
    guard RenderClock(zone: zone, now: 0, in: zones) != nil else {
      throw .missing(zone: zone, folder: folder)
    }
    if zones == nil, current != nil { throw .unreadable(folder: folder) }
    return zones
  }

  /// Takes zones that were read again. Requests go on with those that they began with.
  package func use(_ zones: TimeZones?) { state.withLock { $0 = State(isRead: true, zones: zones) } }
}
