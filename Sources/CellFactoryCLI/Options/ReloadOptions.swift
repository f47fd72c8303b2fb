import ArgumentParser

/// How a running server comes to new cells.
struct ReloadOptions: ParsableArguments {
  @Option(Settings.watch) var watch
}
