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
      Finding(name: $0, nearest: nearest(to: $0, among: known))
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

  private static func nearest(to name: String, among known: [String]) -> String? {
    let ranked = known.map { (name: $0, distance: distance(Array($0.utf8), Array(name.uppercased().utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
    return best.name
  }

  /// The Levenshtein distance: how many letters must be added, removed or replaced.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count < 100, right.count < 100 else { return .max }
    var row = Array(0...right.count)
    for (i, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
