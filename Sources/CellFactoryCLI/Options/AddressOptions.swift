import ArgumentParser

/// The address to listen on, or to check the health of.
struct AddressOptions: ParsableArguments {
  @Option(Settings.host) var host
  @Option(Settings.port) var port
}
