package import Cells

/// Writes JSON that does not come from a parsed document: problems, form fields, row objects.
package enum JSONText {
  /// Appends `string` in quotes, escaping only `"`, `\` and control characters.
  package static func append(string: String, to buffer: inout ByteBuffer) {
    var copy = string
    copy.withUTF8 { append(stringOf: UnsafeRawBufferPointer($0), to: &buffer) }
  }

  /// Appends `bytes` as a JSON string. They must be valid UTF-8 and must not lie in `buffer`.
  package static func append(stringOf bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    JSONTape.appendJSONString(bytes, to: &buffer)
  }
}
