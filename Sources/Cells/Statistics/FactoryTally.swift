/// What a factory's pools and shelves have done since it was made, those of archives that it had before among them.
///
/// Confined to the factory's thread. What they hold they take back when they go.
final class FactoryTally {
  // Unchecked, both: a count is added to, and nobody calls out meanwhile.
  @exclusivity(unchecked) var reuse = ReuseStatistics()
  @exclusivity(unchecked) var plans = PlanStatistics()
}
