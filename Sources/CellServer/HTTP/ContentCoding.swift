/// A content coding of answers (RFC 9110, section 8.4.1).
///
/// To add one that zlib writes, add it here. The API description and the help list the names. `Compressor` has what zlib
/// does; `docs/configuration.md` and `docs/http.md` name the codings, too.
package enum ContentCoding: Int, Sendable {
  case gzip = 0

  /// All, the preferred one first. At most four, numbered from 0: see `AcceptedCodings`.
  static let all: [ContentCoding] = [.gzip]

  /// The names of all, for people: `gzip`.
  package static var names: String { all.map(\.name).joined(separator: " or ") }

  /// As in `Content-Encoding`.
  var name: String {
    switch self {
    case .gzip: "gzip"
    }
  }

  /// The logarithm of the window's size, and what zlib writes around the data: 16 more for gzip (RFC 1952).
  var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    }
  }

  /// The coding with this name in `Accept-Encoding`, or another name of it; nil for any other.
  init?(named name: UnsafeRawBufferPointer) {
    if HeaderSyntax.matches(name, "gzip") || HeaderSyntax.matches(name, "x-gzip") {
      self = .gzip
    } else {
      return nil
    }
  }
}
