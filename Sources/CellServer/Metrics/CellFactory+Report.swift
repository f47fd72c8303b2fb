import Cells

extension CellFactory {
  /// Copies the statistics of the factory's pools and plans to its worker's statistics.
  func report(to statistics: WorkerStatistics) { statistics.note(reuseStatistics, planStatistics) }
}
