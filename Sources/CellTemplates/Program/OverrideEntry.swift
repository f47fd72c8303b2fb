/// An override inside a parent tag.
package struct OverrideEntry: BitwiseCopyable, Equatable, Sendable {
  package var blockName: UInt32
  /// The place it was compiled for; it overrides only blocks there.
  package var place: UInt32
  package var bodyStart: UInt32
  /// 1 if the body starts a line.
  package var startsLine: UInt32
}
