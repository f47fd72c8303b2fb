import ArgumentParser
import Glibc

/// Where a setting's value comes from: the option, else the environment, else the default.
///
/// The variable of `--body-limit-bytes` is `CELLFACTORY_BODY_LIMIT_BYTES`. Set to nothing, it counts as not
/// set.
enum Setting {
  static func variable(_ option: String) -> String {
    "CELLFACTORY_" + option.uppercased().replacing("-", with: "_")
  }

  static func environment(_ option: String) -> String? {
    // The environment is not changed after the start, so the C string stays while it is copied.
    guard let value = getenv(variable(option)) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// - Parameter allowed: what a value may be, in words, for the error.
  /// - Throws: `ValidationError` for a value that cannot be read or is not allowed.
  static func resolve<Value: ExpressibleByArgument>(
    _ given: Value?, _ option: String, default standard: Value, allowed: String = "",
    isAllowed: (Value) -> Bool = { _ in true }
  ) throws -> Value {
    if let given {
      guard isAllowed(given) else {
        throw ValidationError("The value '\(given)' is invalid for '--\(option)': allowed is \(allowed).")
      }
      return given
    }
    guard let text = environment(option) else { return standard }
    guard let value = Value(argument: text), isAllowed(value) else {
      let words = allowed.isEmpty ? "a value of another form" : allowed
      throw ValidationError("The value '\(text)' of \(variable(option)) is invalid: allowed is \(words).")
    }
    return value
  }

  /// A whole number within bounds.
  static func resolve(
    _ given: Int?, _ option: String, default standard: Int, in range: ClosedRange<Int>
  ) throws -> Int {
    try resolve(
      given, option, default: standard,
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
    ) { range.contains($0) }
  }

  /// A time in seconds, fractions included.
  static func resolve(
    _ given: Double?, seconds option: String, default standard: Double, atLeast minimum: Double
  ) throws -> Double {
    try resolve(given, option, default: standard, allowed: "a number of seconds from \(minimum) to 86400") {
      $0 >= minimum && $0 <= 86400
    }
  }
}
