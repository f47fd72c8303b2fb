/// Statistics of a factory's reuse pools since it was made.
public struct ReuseStatistics: Sendable, Equatable {
  /// Cells taken from the pool.
  public var hits = 0
  /// Cells made from the archive because none was idle.
  public var misses = 0
  /// Idle cells freed because the pool was full.
  public var evictions = 0
  /// Cells idle now.
  public var held = 0

  package init(hits: Int = 0, misses: Int = 0, evictions: Int = 0, held: Int = 0) {
    (self.hits, self.misses, self.evictions, self.held) = (hits, misses, evictions, held)
  }
}
