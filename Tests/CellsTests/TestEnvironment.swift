import Foundation

/// Variables of the process's environment, for tests whose size can be chosen.
enum TestEnvironment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
