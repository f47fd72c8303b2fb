/// How many idle cells a factory keeps.
public struct ReusePolicy: Sendable, Equatable {
  /// Off: every row gets a cell of its own.
  public var isOn: Bool
  /// Idle cells of one kind.
  public var cellsPerKind: Int
  /// Idle cells of all kinds together.
  public var cellsInAll: Int

  /// - Parameters:
  ///   - cellsPerKind: at least 1; idle cells beyond it are freed.
  ///   - cellsInAll: at least 1; beyond it, cells of kinds that have not been asked for lately are freed.
  public init(isOn: Bool = true, cellsPerKind: Int = 16, cellsInAll: Int = 1024) {
    precondition(cellsPerKind > 0 && cellsInAll > 0, "a pool holds at least one cell")
    self.isOn = isOn
    self.cellsPerKind = cellsPerKind
    self.cellsInAll = cellsInAll
  }

  /// No reuse.
  public static let off = ReusePolicy(isOn: false)
}
