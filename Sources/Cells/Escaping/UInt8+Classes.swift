/// Classes of ASCII characters in the languages inside attributes.
extension UInt8 {
  /// An ASCII letter or digit.
  @inline(__always)
  var isLetterOrDigit: Bool {
    let lower = self | 0x20
    return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")) || isDigit
  }

  @inline(__always)
  var isHexDigit: Bool {
    let lower = self | 0x20
    return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f")) || isDigit
  }

  @inline(__always)
  private var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// White space in HTML: tab, LF, FF, CR, space.
  @inline(__always)
  var isHTMLSpace: Bool { self == 0x20 || self == 0x0C || isDroppedInURL }

  /// Tabs and newlines, which URL parsers drop at any position.
  @inline(__always)
  var isDroppedInURL: Bool { self == 0x09 || self == 0x0A || self == 0x0D }

  /// C0 controls and the space, which URL parsers drop at the ends.
  @inline(__always)
  var isDroppedAroundURL: Bool { self <= 0x20 }

  /// Characters that URL parsers treat as a slash.
  @inline(__always)
  var isURLSlash: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "\\") }
}
