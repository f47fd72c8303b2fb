import Cells

extension CellFactory {
  /// Tells its worker what its pools and plans have done, and hold.
  func report(to statistics: WorkerStatistics) { statistics.note(reuseStatistics, planStatistics) }
}
