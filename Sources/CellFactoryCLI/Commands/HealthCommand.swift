import ArgumentParser
import CellServer

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Check whether a server is ready.",
    discussion: """
      Requests /readyz. Status 0: ready; 1: not ready. The address comes from the same settings as for 'serve'.
      """)

  @Option(Settings.url) var url

  @OptionGroup(title: "Address") var address: AddressArguments

  func run() throws {
    let target = try target()
    do throws(HealthCheck.Failure) {
      try HealthCheck(target).run()
      Console.announce("ready")
    } catch {
      Console.error("not ready: \(error.description)")
      throw ExitCode(1)
    }
  }

  /// `--url` takes precedence, then address options, then the URL variable.
  private func target() throws -> HealthCheck.Target {
    let sources = SettingSources(options: self)
    if url != nil || address.givenOptions.isEmpty, let target = try sources.value(Settings.url) {
      return target
    }
    let address = try AddressArguments.address(sources)
    if address.port == 0 { throw ValidationError("Port 0 cannot be checked; give '--url' or '--port'.") }
    return HealthCheck.Target(address: address.reachable, path: "")
  }
}
