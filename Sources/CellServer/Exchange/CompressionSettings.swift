/// How answers are compressed, where clients ask for it.
package struct CompressionSettings: Sendable {
  /// Smaller bodies go as they are.
  package var minimumBytes = 1024
  /// zlib's, 1...9. The first is three times as fast as the usual 6, for a third more bytes.
  package var level = 1

  package init() {}
}
