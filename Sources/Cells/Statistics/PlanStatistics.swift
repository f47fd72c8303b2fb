/// What a factory's plans have been good for since it was made.
package struct PlanStatistics: Sendable, Equatable {
  /// Rows that were drawn by a plan.
  package var rows = 0
  /// Plans that were made.
  package var learnt = 0
  /// Bytes that the plans take now.
  package var heldBytes = 0

  package init() {}
}
