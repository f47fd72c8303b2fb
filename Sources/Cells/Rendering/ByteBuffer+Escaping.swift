import CellTemplates

/// Escaping as a scan for the next byte that needs it: clean runs are copied whole.
extension ByteBuffer {
  /// A set of bytes below 64, a bit each: every byte any escaper changes is one of them.
  private typealias ByteSet = UInt64

  private static let nul: ByteSet = 1 << 0
  private static let markup: ByteSet = 1 << 34 | 1 << 38 | 1 << 39 | 1 << 60 | 1 << 62

  /// Appends `source` through `escaper`.
  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer, through escaper: UInt32) {
    switch escaper {
    case Escaper.html.rawValue: appendEscaped(source, special: Self.markup | Self.nul)
    case Escaper.text.rawValue: appendEscaped(source, special: Self.markup)
    case Escaper.rawHTML.rawValue: appendEscaped(source, special: Self.nul)
    default: append(source)
    }
  }

  private mutating func appendEscaped(_ source: UnsafeRawBufferPointer, special: ByteSet) {
    guard let start = source.baseAddress else { return }
    let count = source.count
    reserve(count)
    var place = 0
    while true {
      let end = Self.cleanEnd(start, from: place, to: count, special: special)
      append(start + place, count: end - place)
      if end == count { return }
      appendEntity(for: start.load(fromByteOffset: end, as: UInt8.self))
      place = end + 1
    }
  }

  /// The place of the first byte of `special` from `place` on; `count` where there is none.
  @inline(__always)
  private static func cleanEnd(
    _ start: UnsafeRawPointer, from place: Int, to count: Int, special: ByteSet
  ) -> Int {
    var place = place
    // Sixteen bytes at a time while sixteen are left: every load lies inside the source.
    while place + 16 <= count {
      let bytes = start.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
      var found = (bytes .== 38) .| (bytes .== 60) .| (bytes .== 62) .| (bytes .== 34) .| (bytes .== 39)
      if special == nul { found = bytes .== 0 } else if special & nul != 0 { found = found .| (bytes .== 0) }
      if any(found) { break }
      place += 16
    }
    while place < count {
      let byte = start.load(fromByteOffset: place, as: UInt8.self)
      if byte < 64, special >> UInt64(byte) & 1 == 1 { return place }
      place += 1
    }
    return count
  }

  private mutating func appendEntity(for byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): append("&amp;")
    case UInt8(ascii: "<"): append("&lt;")
    case UInt8(ascii: ">"): append("&gt;")
    case UInt8(ascii: "\""): append("&quot;")
    case UInt8(ascii: "'"): append("&#39;")
    default: append("\u{FFFD}")
    }
  }
}
