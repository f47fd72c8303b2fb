/// How many idle cells a factory keeps.
public struct ReusePolicy: Sendable, Equatable {
  /// If false, every row gets a new cell.
  public var isOn: Bool
  /// The most idle cells of one kind.
  public var cellsPerKind: Int
  /// The most idle cells of all kinds together.
  public var cellsInAll: Int

  /// - Parameters:
  ///   - cellsPerKind: at least 1; further idle cells are freed.
  ///   - cellsInAll: at least 1; beyond it, cells of kinds not used recently are freed.
  public init(isOn: Bool = true, cellsPerKind: Int = 16, cellsInAll: Int = 1024) {
    precondition(cellsPerKind > 0 && cellsInAll > 0, "a pool holds at least one cell")
    self.isOn = isOn
    self.cellsPerKind = cellsPerKind
    self.cellsInAll = cellsInAll
  }

  /// A policy without reuse.
  public static let off = ReusePolicy(isOn: false)
}
