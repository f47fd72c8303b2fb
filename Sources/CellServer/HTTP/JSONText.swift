package import Cells

/// Writes JSON that is not a document's own: problems, form fields, row objects.
package enum JSONText {
  /// Appends `string` in quotes, minimally escaped: `"`, `\` and control characters only.
  package static func append(string: String, to buffer: inout ByteBuffer) {
    var copy = string
    copy.withUTF8 { append(stringOf: UnsafeRawBufferPointer($0), to: &buffer) }
  }

  /// Appends `bytes`, which are valid UTF-8, as a JSON string. They may not lie in `buffer`.
  package static func append(stringOf bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    JSONTape.appendJSONString(bytes, to: &buffer)
  }
}
