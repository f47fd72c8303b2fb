/// JSON pointers (RFC 6901), built from the root outwards.
package enum JSONPointer {
  /// Appends a reference token to `pointer`, escaping `~` and `/`.
  package static func appending(_ name: String, to pointer: String) -> String {
    var result = pointer
    result.reserveCapacity(pointer.utf8.count + name.utf8.count + 1)
    append(name, to: &result)
    return result
  }

  /// Same, in place: a pointer of many parts is made in linear time.
  static func append(_ name: String, to pointer: inout String) {
    var token: [UInt8] = [UInt8(ascii: "/")]
    token.reserveCapacity(name.utf8.count + 1)
    for byte in name.utf8 { append(byte, to: &token) }
    pointer.append(String(decoding: token, as: UTF8.self))
  }

  private static func append(_ byte: UInt8, to token: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "~"): token += "~0".utf8
    case UInt8(ascii: "/"): token += "~1".utf8
    default: token.append(byte)
    }
  }

  /// Appends the name of a member as it was sent. A name of more than 1 KiB is left out, because pointers are repeated in
  /// answers; the pointer then leads to what contains the member.
  static func appending(sent name: UnsafeRawBufferPointer, to pointer: String) -> String {
    if name.count > 1 << 10 { return pointer }
    return appending(String(decoding: name, as: UTF8.self), to: pointer)
  }

  /// Appends each part of a dotted name; none of `.`, which is the value itself. A name of more than 64 KiB is left out.
  package static func appending(path: String, to pointer: String) -> String {
    if path == "." || path.utf8.count > 64 << 10 { return pointer }
    var tokens = [UInt8(ascii: "/")]
    tokens.reserveCapacity(path.utf8.count + 1)
    for byte in path.utf8 {
      if byte == UInt8(ascii: ".") { tokens.append(UInt8(ascii: "/")) } else { append(byte, to: &tokens) }
    }
    return pointer + String(decoding: tokens, as: UTF8.self)
  }

  package static func appending(_ position: Int, to pointer: String) -> String {
    "\(pointer)/\(position)"
  }
}
