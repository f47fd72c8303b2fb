/// The files beside a folder's templates, for images that nibs embed. The compiler itself opens none.
package struct NibFiles: Sendable {
  /// What a file may hold, in bytes.
  package static let limitBytes = 64 << 10

  /// Why a file is not there for a nib.
  package enum Fault: Error, Equatable, Sendable {
    case missing
    /// It lies outside of the templates folder, or is a link that leads there.
    case outside
    case tooLarge
    case unreadable(String)
  }

  /// Reads a file by its path below the folder, which holds no `.`, `..` or empty segment.
  package let read: @Sendable (String) throws(Fault) -> [UInt8]

  package init(_ read: @escaping @Sendable (String) throws(Fault) -> [UInt8]) {
    self.read = read
  }

  /// No files at all.
  package static let none = NibFiles { _ throws(Fault) in throw .missing }

  /// The path below the folder that a relative URL in a nib names; nil where it is no such URL.
  ///
  /// As a browser resolves it: `%xx` is decoded, `.` and `..` are steps.
  /// - Throws: `outside` where the steps lead out of the folder.
  static func path(of reference: String, in nib: String) throws(Fault) -> String? {
    let isRelative = !reference.utf8.contains {
      [UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")].contains($0)
    }
    guard isRelative, !reference.hasPrefix("/"), let decoded = percentDecoded(reference), !decoded.isEmpty
    else { return nil }
    var segments = nib.split(separator: "/").dropLast().map(String.init)
    for segment in decoded.split(separator: "/") {
      switch segment {
      case ".": continue
      case "..":
        if segments.isEmpty { throw .outside }
        segments.removeLast()
      default: segments.append(String(segment))
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
