/// The rules for kinds: segments of `[A-Za-z0-9._-]+` joined by `/`, at most 1024 bytes in total. `.` and
/// `..` are not valid segments.
package enum KindName {
  package static func isValid(_ name: some StringProtocol) -> Bool {
    if name.utf8.count > NameRule.limitBytes { return false }
    var segment = 0
    var dots = 0
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "/"):
        if !isSegment(length: segment, dots: dots) { return false }
        segment = 0
        dots = 0
      case UInt8(ascii: "."):
        segment += 1
        dots += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        segment += 1
      default:
        return false
      }
    }
    return isSegment(length: segment, dots: dots)
  }

  private static func isSegment(length: Int, dots: Int) -> Bool {
    length > 0 && !(dots == length && length <= 2)
  }
}
