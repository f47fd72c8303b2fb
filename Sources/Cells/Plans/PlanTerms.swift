import CellTemplates

/// A number that differs if anything but the row that affects the output differs.
struct PlanTerms: BitwiseCopyable {
  let number: Int64

  init(_ limits: RenderLimits) {
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
