/// A number that differs if anything but the row that affects the output differs.
struct PlanTerms: BitwiseCopyable {
  let number: Int64

  init(_ limits: RenderLimits) {
    let missing: Int64 =
      switch limits.missing {
      case .keep: 0
      case .blank: 1
      case .error: 2
      }
    number = Int64(limits.partialDepth) &* 3 &+ missing
  }
}
