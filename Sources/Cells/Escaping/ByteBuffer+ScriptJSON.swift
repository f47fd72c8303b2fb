import CEscape

/// JSON in a script element that contains data.
extension ByteBuffer {
  /// Appends JSON in which no HTML parser finds the end of the script or a comment, and no JavaScript parser
  /// a newline: `< > &` and U+2028, U+2029 are written as `\uXXXX`. All five occur only in strings and keys,
  /// where this is the same character. At least `padding` bytes after the source must be readable.
  mutating func appendScriptJSON(_ json: UnsafeRawBufferPointer) {
    append(json) { cf_escape_script_json($0, $1, $2, $3) }
  }
}
