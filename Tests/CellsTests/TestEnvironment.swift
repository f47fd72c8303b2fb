import Foundation

/// Environment variables for tests whose size can be chosen.
enum TestEnvironment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
