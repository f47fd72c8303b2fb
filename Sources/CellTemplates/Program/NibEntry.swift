/// A nib, apart from its cells. Consists of 32-bit words, like all entries of archives.
package struct NibEntry: BitwiseCopyable, Equatable, Sendable {
  /// Its path relative to the templates folder, without the extension.
  package var name: LiteralRef
  /// A range of the table of texts: `<style>` elements and stylesheet links, as written.
  package var styleStart: UInt32
  package var styleCount: UInt32
}
