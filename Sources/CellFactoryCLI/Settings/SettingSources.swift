import ArgumentParser
import Configuration
import FoundationEssentials

/// Where settings come from: the option, else the environment, else the default.
///
/// The variable of `--body-limit-bytes` is `CELLFACTORY_BODY_LIMIT_BYTES`. One that is set to nothing counts as not set,
/// and what an option overrides is not looked at.
struct SettingSources {
  enum Origin: Int {
    // In the order in which they are asked.
    case option
    case variable
    case standard
  }

  private let reader: ConfigReader
  private let access = LastAccess()

  init(
    options: some ParsableArguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let given = options.givenOptions
    var variables = environment.filter { !$0.value.isEmpty }
    var defaults: [any AnySetting] = Settings.all
    // Two settings for one thing: either as an option wins over both variables, and an archive over the default folder.
    let sources: [any AnySetting] = [Settings.templates, Settings.archive]
    if given.contains(where: { option in sources.contains { $0.name == option.name } }) {
      for setting in sources { variables[setting.variable] = nil }
    }
    if given.contains(where: { $0.name == Settings.archive.name })
      || variables[Settings.archive.variable] != nil
    {
      defaults.removeAll { $0.name == Settings.templates.name }
    }
    reader = ConfigReader(
      providers: [
        InMemoryProvider(name: "options", values: Self.values(given.map { ($0.name, $0.text) })),
        EnvironmentVariablesProvider(environmentVariables: variables),
        InMemoryProvider(
          name: "defaults",
          values: Self.values(defaults.compactMap { row in row.standard.map { (row.name, $0) } })),
      ], accessReporter: access)
  }

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
  func text(of setting: some AnySetting) -> (text: String, origin: Origin)? {
    guard let text = reader.string(forKey: Self.key(setting.name)) else { return nil }
    guard let place = access.answeringProvider, let origin = Origin(rawValue: place) else {
      preconditionFailure("a value of \(setting.name) from nowhere")
    }
    return (text, origin)
  }

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
    let reason = refusal.reason ?? "allowed is \(setting.allowed)"
    var complaint = "The value '\(text)' of \(place) is invalid: \(reason)."
    if origin == .variable, ServiceLinks.isLink(text) { complaint += " " + ServiceLinks.advice(setting) }
    return complaint
  }

  /// The environment's key for it is its variable.
  private static func key(_ name: String) -> ConfigKey { ConfigKey(["cellfactory", name]) }

  private static func values(_ pairs: [(name: String, text: String)]) -> [AbsoluteConfigKey: ConfigValue] {
    // Of a repeated option the last counts; the parser has left only that.
    Dictionary(
      pairs.map { (AbsoluteConfigKey(key($0.name)), ConfigValue(.string($0.text), isSecret: false)) },
      uniquingKeysWith: { $1 })
  }
}
