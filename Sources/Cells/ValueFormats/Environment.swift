import Glibc

/// Variables of the process's environment.
enum Environment {
  /// nil if it is not set, or empty.
  static func value(_ name: String) -> String? {
    guard let text = getenv(name) else { return nil }
    // Copied at once, because the environment may change.
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }
}
