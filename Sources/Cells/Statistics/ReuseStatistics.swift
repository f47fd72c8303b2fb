/// What a reuse pool has done since it was made.
public struct ReuseStatistics: Sendable, Equatable {
  /// Cells asked for and found idle.
  public var hits = 0
  /// Cells asked for and made from the archive.
  public var misses = 0
  /// Idle cells freed because the pool was full.
  public var evictions = 0
  /// Cells idle now.
  public var held = 0

  package init(hits: Int = 0, misses: Int = 0, evictions: Int = 0, held: Int = 0) {
    (self.hits, self.misses, self.evictions, self.held) = (hits, misses, evictions, held)
  }
}
