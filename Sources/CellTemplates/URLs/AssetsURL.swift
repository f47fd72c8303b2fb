/// The address below which the files that nibs link to are found, if it is not this server's.
package enum AssetsURL {
  package static let limitBytes = 1024

  /// The address with a `/` at its end; nil unless `text` is one: `https://cdn.example/cells/` or `/cells/assets/`.
  package static func normalized(_ text: String) -> String? {
    let text = text.hasSuffix("/") ? text : text + "/"
    return isValid(text) ? text : nil
  }

  /// Whether the text is an address as `normalized` returns it. It has no character that ends a value in HTML or CSS.
  package static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= limitBytes, text.hasSuffix("/"), bytes.allSatisfy(isPlain) else { return false }
    for scheme in ["https://", "http://", "//"] where text.hasPrefix(scheme) {
      return bytes.dropFirst(scheme.utf8.count).first.map { $0 != UInt8(ascii: "/") } ?? false
    }
    return text.hasPrefix("/")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._~/:%@!$,=[]".utf8.contains(byte)
  }
}
