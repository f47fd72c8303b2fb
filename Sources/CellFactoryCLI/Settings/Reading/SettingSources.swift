import ArgumentParser
import FoundationEssentials

/// The values of settings from three sources: the option, otherwise the environment variable, otherwise the
/// default.
///
/// The variable of `--body-limit-bytes` is `CELLFACTORY_BODY_LIMIT_BYTES`. An empty variable counts as not
/// set. A variable overridden by an option is not read.
struct SettingSources {
  enum Origin {
    case option
    case variable
    case standard
  }

  private typealias Found = (text: String, origin: Origin)

  /// By setting name; a setting without a value is missing.
  private var values: [String: Found] = [:]

  init(
    options: some ParsableArguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    for setting in Settings.all {
      if let text = setting.standard { values[setting.name] = (text, .standard) }
    }
    let given = options.givenOptions
    let isSourceGiven = given.contains { Self.sources.contains($0.name) }
    for setting in Settings.all {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      // Templates and archive are alternatives, so either option takes precedence over both variables.
      if isSourceGiven, Self.sources.contains(setting.name) { continue }
      values[setting.name] = (text, .variable)
    }
    for option in given { values[option.name] = (option.text, .option) }
    // An archive also takes precedence over the default folder.
    if values[Settings.archive.name] != nil, case .standard? = values[Settings.templates.name]?.origin {
      values[Settings.templates.name] = nil
    }
  }

  private static let sources = [Settings.templates.name, Settings.archive.name]

  /// - Throws: `ValidationError` if the value is invalid.
  func value<Value>(_ setting: Setting<Value>) throws -> Value? {
    guard let (text, origin) = text(of: setting) else { return nil }
    do throws(SettingRefusal) {
      return try setting.value(text)
    } catch {
      throw ValidationError(Self.complaint(error, text, of: setting, from: origin))
    }
  }

  /// The value of a setting that has a default.
  subscript<Value>(_ setting: Setting<Value>) -> Value {
    get throws {
      guard let value = try value(setting) else { preconditionFailure("\(setting.name) has no default") }
      return value
    }
  }

  /// The text of a setting as written, and its source; `nil` if it is not set and has no default.
  func text(of setting: some AnySetting) -> (text: String, origin: Origin)? { values[setting.name] }

  /// Validates settings. Reports all invalid values at once.
  func check(_ settings: [any AnySetting]) throws {
    var complaints: [String] = []
    for setting in settings {
      guard let (text, origin) = text(of: setting) else { continue }
      do throws(SettingRefusal) {
        _ = try setting.normalized(text)
      } catch {
        complaints.append(Self.complaint(error, text, of: setting, from: origin))
      }
    }
    if !complaints.isEmpty { throw ValidationError(complaints.joined(separator: "\n")) }
  }

  static func variable(_ name: String) -> String {
    "CELLFACTORY_" + name.uppercased().replacing("-", with: "_")
  }

  /// The option or variable as users write it, or `default`.
  static func name(of origin: Origin, for setting: some AnySetting) -> String {
    switch origin {
    case .option: "--" + setting.name
    case .variable: setting.variable
    case .standard: "default"
    }
  }

  private static func complaint(
    _ refusal: SettingRefusal, _ text: String, of setting: some AnySetting, from origin: Origin
  ) -> String {
    let name = name(of: origin, for: setting)
    let position = origin == .option ? "'\(name)'" : name
    let reason = refusal.reason ?? "must be \(setting.allowed)"
    var complaint = "The value '\(text)' of \(position) is invalid: \(reason)."
    if origin == .variable, ServiceLinks.isLink(text) { complaint += " " + ServiceLinks.advice(setting) }
    return complaint
  }
}
