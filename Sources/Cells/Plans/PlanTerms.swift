import CRowPlan
import CellTemplates

/// A number that differs if anything but the row that affects the output differs.
struct PlanTerms: BitwiseCopyable {
  let number: Int64
  /// Those of the archive, with the plurals of the locale.
  let conditions: Conditions

  /// The terms in the locale in force.
  init(_ limits: RenderLimits, _ conditions: Conditions, in formats: RequestFormats) {
    var conditions = conditions
    (conditions.cardinal, conditions.ordinal) = formats.plurals
    self.init(limits, conditions, locale: formats.locale.locale.number)
  }

  /// - Parameter locale: the number of the locale that the kind depends on; 0 if it depends on none.
  init(_ limits: RenderLimits, _ conditions: Conditions, locale: Int64) {
    self.conditions = conditions
    let missing: Int64 =
      switch limits.missing {
      case .drop: 0
      case .keep: 1
      case .blank: 2
      case .error: 3
      }
    number = locale &* (1 << 32) &+ Int64(limits.partialDepth) &* 4 &+ missing
  }
}
