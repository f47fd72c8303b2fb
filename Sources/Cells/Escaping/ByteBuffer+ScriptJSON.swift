import CMarkup

/// JSON in a script element that is data.
extension ByteBuffer {
  /// Appends JSON so that no HTML parser sees an end of the script or a comment in it, and no JavaScript parser an end
  /// of a line: `< > &` and U+2028, U+2029 as `\uXXXX`. All five stand in strings and keys alone, where that is the
  /// same character. At least `padding` bytes behind the source can be read.
  mutating func appendScriptJSON(_ json: UnsafeRawBufferPointer) {
    append(json) { cf_escape_script_json($0, $1, $2, $3) }
  }
}
