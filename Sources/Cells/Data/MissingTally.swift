/// How many outlets have found nothing.
package struct MissingTally: BitwiseCopyable, Equatable, Sendable {
  package var count = 0
  /// Those that were left as drawn.
  package var drawn = 0

  package init(count: Int = 0, drawn: Int = 0) { (self.count, self.drawn) = (count, drawn) }

  static func + (left: MissingTally, right: MissingTally) -> MissingTally {
    MissingTally(count: left.count &+ right.count, drawn: left.drawn &+ right.drawn)
  }

  static func - (left: MissingTally, right: MissingTally) -> MissingTally {
    MissingTally(count: left.count &- right.count, drawn: left.drawn &- right.drawn)
  }
}
