/// A reference to another file, as it is written in a page or a style sheet.
package struct FileLink: Equatable, Sendable {
  /// Without quotes and with character references decoded; unresolved.
  package let reference: String
  /// The offset of the value that holds it.
  package let at: Int
  /// Whether the file becomes a part of the page: `data-embed`.
  package var isEmbedded = false
}
