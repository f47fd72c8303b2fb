/// Access to the other files in a templates folder, for images embedded in nibs. The compiler itself opens no
/// files.
package struct NibFiles: Sendable {
  /// The largest file in bytes.
  package static let limitBytes = 64 << 10

  /// Why a nib cannot use a file.
  package enum Fault: Error, Equatable, Sendable {
    case missing
    /// It is outside the templates folder, or a link that leads out of it.
    case outside
    case tooLarge
    case unreadable(String)
  }

  /// Reads a file by its relative path, which has no `.`, `..` or empty segments.
  package let read: @Sendable (String) throws(Fault) -> [UInt8]

  package init(_ read: @escaping @Sendable (String) throws(Fault) -> [UInt8]) {
    self.read = read
  }

  /// No files.
  package static let none = NibFiles { _ throws(Fault) in throw .missing }

  /// The path within the folder for a relative URL in a nib; nil if it is not such a URL.
  ///
  /// Resolved like in a browser: `%xx` is decoded, and `.` and `..` are steps.
  /// - Throws: `outside` if the path leaves the folder.
  package static func path(of reference: String, in nib: String) throws(Fault) -> String? {
    let isRelative = !reference.utf8.contains {
      [UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")].contains($0)
    }
    guard isRelative, !FilePath.isAbsolute(reference), let decoded = percentDecoded(reference),
      !decoded.isEmpty
    else { return nil }
    var segments = Array(FilePath.names(nib).dropLast())
    for segment in FilePath.names(decoded) {
      switch segment {
      case ".": continue
      case "..":
        if segments.isEmpty { throw .outside }
        segments.removeLast()
      default: segments.append(segment)
      }
    }
    return segments.isEmpty ? nil : segments.joined(separator: "/")
  }

  private static func percentDecoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}
