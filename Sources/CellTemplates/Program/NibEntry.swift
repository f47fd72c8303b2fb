/// A nib: what is told of it beside its cells. Made of 32-bit words, as all rows of an archive's tables.
package struct NibEntry: BitwiseCopyable, Equatable, Sendable {
  /// Its path below the templates folder, without the ending.
  package var name: LiteralRef
  /// A run of the table of texts: `<style>` elements and links to stylesheets, as they are written.
  package var styleStart: UInt32
  package var styleCount: UInt32
}
