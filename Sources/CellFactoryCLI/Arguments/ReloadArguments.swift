import ArgumentParser

/// How a running server reloads cells.
struct ReloadArguments: ParsableArguments {
  @Option(Settings.watch) var watch
}
