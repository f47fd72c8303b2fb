/// Counts of a factory's pools and plans since it was made, across all its archives.
///
/// Confined to the factory's thread. Pools and plans subtract what they hold when they are released.
final class FactoryTally {
  // Exclusivity checks are off for both: no other code is called while one is accessed.
  @exclusivity(unchecked) var reuse = ReuseStatistics()
  @exclusivity(unchecked) var plans = PlanStatistics()
}
