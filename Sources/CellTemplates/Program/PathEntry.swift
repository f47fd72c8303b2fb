/// The name in a tag.
package struct PathEntry: BitwiseCopyable, Equatable, Sendable {
  /// A `Root`.
  package var root: UInt32
  /// The first name, for root `name`.
  package var name: UInt32
  /// The other names, for root `name` or `row`: a range of the table of segments.
  package var segmentStart: UInt32
  package var segmentCount: UInt32
  /// The whole name as written, for messages.
  package var text: LiteralRef
}
