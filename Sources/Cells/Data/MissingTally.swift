/// How many outlets have found nothing, and how many values did not fit their formats.
package struct MissingTally: BitwiseCopyable, Equatable, Sendable {
  package var count = 0
  /// Those that were left as drawn.
  package var drawn = 0
  /// Values that are printed as they are, because they do not fit their formats.
  package var misfits = 0

  package init(count: Int = 0, drawn: Int = 0, misfits: Int = 0) {
    (self.count, self.drawn, self.misfits) = (count, drawn, misfits)
  }

  static func + (left: MissingTally, right: MissingTally) -> MissingTally {
    MissingTally(
      count: left.count &+ right.count, drawn: left.drawn &+ right.drawn,
      misfits: left.misfits &+ right.misfits)
  }

  static func - (left: MissingTally, right: MissingTally) -> MissingTally {
    MissingTally(
      count: left.count &- right.count, drawn: left.drawn &- right.drawn,
      misfits: left.misfits &- right.misfits)
  }
}
