/// The variables that Kubernetes, and Docker with links, set in a container for each Service. For a Service
/// named `cellfactory` they look like settings: `CELLFACTORY_PORT=tcp://10.96.0.12:80`.
enum ServiceLinks {
  private static let protocols = ["tcp", "udp", "sctp"]

  static func isLink(_ value: String) -> Bool {
    protocols.contains { value.hasPrefix($0 + "://") }
  }

  /// Whether a variable is such a variable: `…_SERVICE_HOST`, `…_SERVICE_PORT`, `…_SERVICE_PORT_HTTP`,
  /// `…_PORT_80_TCP_ADDR`, or a link in `…_PORT`.
  static func isVariable(_ name: String, value: String) -> Bool {
    if name.hasSuffix("_PORT"), isLink(value) { return true }
    if name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT") { return true }
    if name.contains("_SERVICE_PORT_") { return true }
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.indices.dropLast(2).contains { position in
      words[position] == "PORT" && Int(words[position + 1]) != nil
        && protocols.contains(words[position + 2].lowercased())
    }
  }

  /// The advice that follows the error about a variable whose value is a link.
  static func advice(_ setting: some AnySetting) -> String {
    """
    Kubernetes sets such a value for a Service named 'cellfactory': set 'enableServiceLinks: false' in the pod's spec, \
    rename the Service, or set \(setting.variable) for the container.
    """
  }
}
