import ArgumentParser
import CellTemplates
import Cells

/// What loading cells may take.
struct LoadOptions: ParsableArguments {
  @Option(Settings.loadSeconds) var loadSeconds

  /// For one load, which begins now.
  func budget(_ sources: SettingSources) throws -> LoadBudget {
    LoadBudget(seconds: try sources[Settings.loadSeconds])
  }
}
