/// Why bytes cannot be used as an archive.
package enum ArchiveError: Error, Equatable, Sendable {
  case notAnArchive
  case unsupportedVersion(UInt32)
  /// Its tables, or their entries, are not those of this release.
  case otherTables
  case truncated(expected: UInt64, actual: Int)
  case trailingBytes(Int)
  case damaged
  case inconsistent(String)
  /// Reading it takes too long.
  case loadLimit(String, hint: String)

  package var description: String {
    switch self {
    case .notAnArchive:
      "this is not a cell archive; make one with `cellfactory archive DIR --output FILE`"
    case .unsupportedVersion(let version):
      "the archive has format \(version), this program reads format \(ArchiveFormat.version); create it again with `cellfactory archive`"
    case .otherTables:
      "the archive was made by another release, with other tables; create it again with `cellfactory archive`"
    case .truncated(let expected, let actual):
      "the archive is cut short: \(actual) of \(expected) bytes are there"
    case .trailingBytes(let count):
      "\(count) bytes follow the archive's end"
    case .damaged:
      "the archive is damaged: its content does not match its checksum"
    case .inconsistent(let what):
      "the archive is damaged: \(what)"
    case .loadLimit(let message, let hint):
      "\(message); \(hint)"
    }
  }
}
