/// Counts of a factory's pools and plans since it was made, across all its archives.
///
/// Confined to the factory's thread. Pools and plans subtract what they hold when they are released.
final class FactoryTally {
  var reuse = ReuseStatistics()
  var plans = PlanStatistics()
}
