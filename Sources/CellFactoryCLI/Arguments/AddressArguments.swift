import ArgumentParser
import CellServer

/// The address to listen on, or to check the health of.
struct AddressArguments: ParsableArguments {
  @Option(Settings.host) var host
  @Option(Settings.port) var port

  static func address(_ sources: SettingSources) throws -> ServerAddress {
    ServerAddress(host: try sources[Settings.host], port: try sources[Settings.port])
  }
}
