/// A template compiled for one way of being called.
package struct ProgramEntry: BitwiseCopyable, Equatable, Sendable {
  package var opStart: UInt32
  package var opCount: UInt32
  /// How many operations look up names. Each has a slot that remembers where it found the name.
  package var slotCount: UInt32
  package var kind: UInt32
}
