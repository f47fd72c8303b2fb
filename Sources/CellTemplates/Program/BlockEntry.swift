/// A block.
package struct BlockEntry: BitwiseCopyable, Equatable, Sendable {
  package var name: UInt32
  /// The number of its place, unique within an archive; 0 is element text.
  package var place: UInt32
  /// 1 if the block starts a line, so that an override's first line is indented too.
  package var opensLine: UInt32
  package var indentation: LiteralRef
}
