/// Counts of a factory's pools and plans since it was made, across all its archives.
///
/// Confined to the factory's thread. Pools and plans subtract what they hold when they are released.
final class FactoryTally {
  // Unchecked, because it is counted for every cell taken or given back: a single thread counts, and no access
  // calls other code.
  @exclusivity(unchecked) var reuse = ReuseStatistics()
  var plans = PlanStatistics()
}
