import CellTemplates

/// A number that differs if anything but the row that affects the output differs.
struct PlanTerms: BitwiseCopyable {
  let number: Int64
  /// Those of the archive, which all plans of a shelf have in common.
  let conditions: Conditions

  init(_ limits: RenderLimits, _ conditions: Conditions) {
    self.conditions = conditions
    let missing: Int64 =
      switch limits.missing {
      case .drop: 0
      case .keep: 1
      case .blank: 2
      case .error: 3
      }
    number = Int64(limits.partialDepth) &* 4 &+ missing
  }
}
