import CellServer

// The types of settings.
extension Setting {
  /// An integer within a range, for a field of the server.
  static func whole(
    _ name: String, _ help: String, for field: any WritableKeyPath<ServerSettings, Int> & Sendable,
    in range: ClosedRange<Int>
  ) -> Setting where Value == Int {
    var setting = whole(name, help, default: ServerSettings()[keyPath: field], in: range)
    setting.field = field
    return setting
  }

  /// A time in seconds, for a field of the server.
  static func seconds(
    _ name: String, _ help: String, for field: any WritableKeyPath<ServerSettings, Double> & Sendable,
    atLeast minimum: Double
  ) -> Setting where Value == Double {
    var setting = seconds(name, help, default: ServerSettings()[keyPath: field], atLeast: minimum)
    setting.field = field
    return setting
  }

  /// An integer within a range.
  static func whole(
    _ name: String, _ help: String, default standard: Int, defaultWords: String? = nil,
    in range: ClosedRange<Int>
  ) -> Setting where Value == Int {
    Setting(
      name, help, default: String(standard), defaultWords: defaultWords,
      allowed: "an integer from \(range.lowerBound) to \(range.upperBound)", isNumber: true
    ) { text throws(SettingRefusal) in
      guard let value = Int(text), range.contains(value) else { throw SettingRefusal() }
      return value
    }
  }

  /// A time in seconds, possibly fractional, up to a day.
  static func seconds(
    _ name: String, _ help: String, default standard: Double, atLeast minimum: Double
  ) -> Setting where Value == Double {
    Setting(
      name, help, default: plain(standard),
      allowed: "a number of seconds from \(plain(minimum)) to \(plain(longestSeconds))", isNumber: true,
      describe: { plain($0) }
    ) { text throws(SettingRefusal) in
      guard let value = Double(text), value >= minimum, value <= longestSeconds else {
        throw SettingRefusal()
      }
      return value
    }
  }

  /// One of a few words.
  static func choice(
    _ name: String, _ help: String, default standard: Value
  ) -> Setting where Value: RawRepresentable<String> & CaseIterable {
    let choices = Value.allCases.map(\.rawValue)
    return Setting(
      name, help, default: standard.rawValue, allowed: quoted(choices), choices: choices,
      describe: { $0.rawValue }
    ) { text throws(SettingRefusal) in
      guard let value = Value(rawValue: text) else { throw SettingRefusal() }
      return value
    }
  }

  /// `on` or `off`; the option alone means `on`.
  static func onOff(_ name: String, _ help: String, default standard: Bool) -> Setting where Value == Bool {
    Setting(
      name, help, default: standard ? "on" : "off", allowed: quoted(["on", "off"]), choices: ["on", "off"],
      isSwitch: true, describe: { $0 ? "on" : "off" }
    ) { text throws(SettingRefusal) in
      switch text {
      case "on": return true
      case "off": return false
      default: throw SettingRefusal()
      }
    }
  }

  /// Any nonempty text.
  static func text(
    _ name: String, _ help: String, valueName: String? = nil, default standard: String? = nil, allowed: String
  ) -> Setting where Value == String {
    Setting(name, help, valueName: valueName, default: standard, allowed: allowed) {
      text throws(SettingRefusal) in
      guard !text.isEmpty else { throw SettingRefusal() }
      return text
    }
  }

  private static var longestSeconds: Double { 86400 }

  /// As a user would write it: `10`, not `10.0`.
  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }

  /// `'a', 'b' or 'c'`.
  private static func quoted(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
