import Testing

/// Runs the tests. Without an entry point of its own, the build would look for tests of XCTest, of which there are none, in
/// an index of all sources, which takes a third of a debug build.
@main struct Runner {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
