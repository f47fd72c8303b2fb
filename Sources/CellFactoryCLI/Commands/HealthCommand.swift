import ArgumentParser

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Ask a server whether it is ready.",
    discussion: """
      Asks /readyz. Status 0: ready; 1: not. The address comes from the same settings as that of 'serve'.
      """)

  @Option(help: "The server's base URL (default: from host and port).")
  var url: String?

  @OptionGroup(title: "Address") var address: AddressOptions

  func run() throws {
    let target = try target()
    do throws(HealthCheck.Failure) {
      try HealthCheck(target).run()
      Console.output("ready")
    } catch {
      Console.error("not ready: \(error.description)")
      throw ExitCode(1)
    }
  }

  private func target() throws -> HealthCheck.Target {
    if let url { return try Self.target(url: url, "for '--url'") }
    // An option wins over any variable.
    if address.host == nil, address.port == nil, let url = Setting.environment("url") {
      return try Self.target(url: url, "of \(Setting.variable("url"))")
    }
    let host = try address.resolvedHost()
    let port = try address.resolvedPort()
    if port == 0 { throw ValidationError("Port 0 is no port to ask; give '--url' or '--port'.") }
    return HealthCheck.Target(host: HealthCheck.Target.reachable(host), port: port, path: "")
  }

  private static func target(url: String, _ place: String) throws -> HealthCheck.Target {
    guard let target = HealthCheck.Target(url: url) else {
      throw ValidationError("The value '\(url)' \(place) is invalid: allowed is http://HOST[:PORT][/PATH].")
    }
    return target
  }
}
