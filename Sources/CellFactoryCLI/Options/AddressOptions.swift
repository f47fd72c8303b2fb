import ArgumentParser

/// Where the server listens, and is asked for its health.
struct AddressOptions: ParsableArguments {
  @Option(Settings.host) var host
  @Option(Settings.port) var port
}
