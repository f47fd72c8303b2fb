/// How many outlets have found nothing, and how many values did not fit their formats.
package struct ValueTally: BitwiseCopyable, Equatable, Sendable {
  package var missing = 0
  /// Those that were left as drawn.
  package var drawn = 0
  /// Values that are printed as they are, because they do not fit their formats.
  package var misfits = 0

  package init(missing: Int = 0, drawn: Int = 0, misfits: Int = 0) {
    (self.missing, self.drawn, self.misfits) = (missing, drawn, misfits)
  }

  static func + (left: ValueTally, right: ValueTally) -> ValueTally {
    ValueTally(
      missing: left.missing &+ right.missing, drawn: left.drawn &+ right.drawn,
      misfits: left.misfits &+ right.misfits)
  }

  static func - (left: ValueTally, right: ValueTally) -> ValueTally {
    ValueTally(
      missing: left.missing &- right.missing, drawn: left.drawn &- right.drawn,
      misfits: left.misfits &- right.misfits)
  }
}
