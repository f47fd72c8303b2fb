import CellTemplates
import FoundationEssentials
import Logging

/// Finds variables that start with `CELLFACTORY_` but are not settings.
enum UnknownVariables {
  struct Finding: Equatable, CustomStringConvertible {
    var name: String
    /// The variable that was probably meant.
    var nearest: String?

    var description: String {
      "unknown variable \(ConfigListing.printable(name))" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// The most findings reported.
  static let limit = 16

  /// Sorted by name, without variables that an orchestrator sets for a Service.
  static func find(in environment: [String: String] = ProcessInfo.processInfo.environment) -> [Finding] {
    let known = Settings.all.map(\.variable)
    let unknown = environment.filter { name, value in
      name.hasPrefix("CELLFACTORY_") && !known.contains(name) && !ServiceLinks.isVariable(name, value: value)
    }
    return unknown.keys.sorted().prefix(limit).map {
      Finding(name: $0, nearest: NearestName.find($0, among: known))
    }
  }

  /// Logs a warning for each. The service still starts, because whoever starts it may not control its
  /// environment.
  static func warn(_ logger: Logger) {
    for finding in find() {
      var metadata: Logger.Metadata = ["variable": "\(finding.name)"]
      if let nearest = finding.nearest { metadata["nearest"] = "\(nearest)" }
      logger.warning("unknown variable", metadata: metadata)
    }
  }
}
