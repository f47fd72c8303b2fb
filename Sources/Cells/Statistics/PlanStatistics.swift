/// Statistics of a factory's plans since it was made.
package struct PlanStatistics: Sendable, Equatable {
  /// Rows rendered by a plan.
  package var rows = 0
  /// Plans recorded.
  package var learnt = 0
  /// Memory of the plans now, in bytes.
  package var heldBytes = 0

  package init() {}
}
