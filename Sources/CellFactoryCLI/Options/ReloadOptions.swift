import ArgumentParser

/// How a running server comes to new cells.
struct ReloadOptions: ParsableArguments {
  @Flag(help: "Load the cells again when their files change, and not only on SIGHUP.")
  var watch = false

  func watches() throws -> Bool {
    if watch { return true }
    return try Setting.resolve(nil, "watch", default: false, allowed: "true or false")
  }
}
