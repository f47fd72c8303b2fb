/// How answers are compressed for clients that accept it.
package struct CompressionSettings: Sendable {
  /// Smaller bodies are not compressed.
  package var minimumBytes = 1024
  /// zlib's level, 1...9. Level 1 is three times as fast as the default, 6, and its output a third larger.
  package var level = 1

  package init() {}
}
