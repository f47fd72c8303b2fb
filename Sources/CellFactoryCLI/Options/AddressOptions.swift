import ArgumentParser

/// Where the server listens, and is asked for its health.
struct AddressOptions: ParsableArguments {
  @Option(help: "The address to listen on; 0.0.0.0 for all (default: 127.0.0.1).")
  var host: String?

  @Option(help: "The port; 0 picks a free one (default: 8080).")
  var port: Int?

  func resolvedHost() throws -> String {
    try Setting.resolve(host, "host", default: "127.0.0.1", allowed: "an address or a name") { !$0.isEmpty }
  }

  func resolvedPort() throws -> Int {
    try Setting.resolve(port, "port", default: 8080, in: 0...65535)
  }
}
