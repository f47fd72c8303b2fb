import ArgumentParser
import CellTemplates
import Cells

/// Limits for loading cells.
struct LoadArguments: ParsableArguments {
  @Option(Settings.loadSeconds) var loadSeconds

  /// A budget for one load, which starts now.
  func budget(_ sources: SettingSources) throws -> LoadBudget {
    LoadBudget(seconds: try sources[Settings.loadSeconds])
  }
}
