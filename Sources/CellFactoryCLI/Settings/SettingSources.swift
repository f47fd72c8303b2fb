import ArgumentParser
import FoundationEssentials

/// The values of settings, from three layers: the option, else the environment variable, else the default.
///
/// The variable of `--body-limit-bytes` is `CELLFACTORY_BODY_LIMIT_BYTES`. An empty variable counts as not set. A variable
/// that an option overrides is not looked at.
struct SettingSources {
  enum Origin {
    case option
    case variable
    case standard
  }

  private typealias Found = (text: String, origin: Origin)

  /// By the names of settings; a setting without any value is missing.
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
      // Templates and archive are two settings for one thing: either option wins over both variables.
      if isSourceGiven, Self.sources.contains(setting.name) { continue }
      values[setting.name] = (text, .variable)
    }
    for option in given { values[option.name] = (option.text, .option) }
    // And an archive wins over the default folder.
    if values[Settings.archive.name] != nil, case .standard? = values[Settings.templates.name]?.origin {
      values[Settings.templates.name] = nil
    }
  }

  private static let sources = [Settings.templates.name, Settings.archive.name]

  /// - Throws: `ValidationError` for a value that is not allowed.
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

  /// As it was written, and where; `nil`: nobody says, and there is no default.
  func text(of setting: some AnySetting) -> (text: String, origin: Origin)? { values[setting.name] }

  /// Refuses whatever is not allowed, all of it at once.
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

  /// An option or variable as its user writes it; how a default is called.
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
    let place = origin == .option ? "'\(name)'" : name
    let reason = refusal.reason ?? "must be \(setting.allowed)"
    var complaint = "The value '\(text)' of \(place) is invalid: \(reason)."
    if origin == .variable, ServiceLinks.isLink(text) { complaint += " " + ServiceLinks.advice(setting) }
    return complaint
  }
}
