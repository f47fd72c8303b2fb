import CMarkup

/// JSON in a script element that is data.
extension ByteBuffer {
  /// Appends JSON so that no HTML parser sees an end of the script or a comment in it, and no JavaScript parser an end
  /// of a line: `< > &` and U+2028, U+2029 as `\uXXXX`. All five stand in strings and keys alone, where that is the
  /// same character. At least `padding` bytes behind the source can be read.
  mutating func appendScriptJSON(_ json: UnsafeRawBufferPointer) {
    append(json, mask: { cf_script_mask($0) }) { buffer, bytes, behind in
      let byte = bytes.load(as: UInt8.self)
      switch byte {
      case UInt8(ascii: "&"): buffer.appendShort(0x3632_3030_755C, count: 6, before: behind)  // \u0026
      case UInt8(ascii: "<"): buffer.appendShort(0x6333_3030_755C, count: 6, before: behind)  // \u003c
      case UInt8(ascii: ">"): buffer.appendShort(0x6533_3030_755C, count: 6, before: behind)  // \u003e
      default:
        // The first byte of a character of three: nearly never one of the two.
        if behind >= 2, bytes.load(fromByteOffset: 1, as: UInt8.self) == 0x80 {
          let last = bytes.load(fromByteOffset: 2, as: UInt8.self)
          if last == 0xA8 || last == 0xA9 {
            let digit: UInt64 = last == 0xA8 ? 0x38 : 0x39
            buffer.appendShort(0x32_3032_755C | digit << 40, count: 6, before: behind - 2)  // \u2028, \u2029
            return 2
          }
        }
        buffer.appendShort(UInt64(byte), count: 1, before: behind)
      }
      return 0
    }
  }
}
