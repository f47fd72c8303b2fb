import ArgumentParser

/// How a running server reloads cells.
struct ReloadOptions: ParsableArguments {
  @Option(Settings.watch) var watch
}
