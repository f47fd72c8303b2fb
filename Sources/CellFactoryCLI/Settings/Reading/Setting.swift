import ArgumentParser
import CellServer

/// One setting: its option, its variable, its allowed values and its default.
///
/// The settings are listed in `Settings.swift`. Help, parsing, errors and `--print-config` are derived
/// from them.
struct Setting<Value: Sendable>: Sendable {
  /// The option without its dashes: words joined by `-`, with the unit last, as in `body-limit-bytes`.
  let name: String
  /// One sentence.
  let help: String
  /// The name of the value in the help; `nil` lets ArgumentParser choose one.
  let valueName: String?
  /// The default as a user would write it; `nil` if there is none.
  let standard: String?
  /// What the help shows as the default, instead of `standard`.
  let standardWords: String?
  /// Completes "must be …" in an error.
  let allowed: String
  /// The values that the help lists, if they are few.
  let choices: [String]
  /// Whether the option without a value means `on`.
  let isSwitch: Bool
  /// Whether `--print-config json` prints its value as a number.
  let isNumber: Bool
  /// The field of the server that the value is for; nil if it goes elsewhere, or not as it is.
  var field: (any WritableKeyPath<ServerSettings, Value> & Sendable)?
  private let parse: @Sendable (String) throws(SettingRefusal) -> Value
  private let describe: @Sendable (Value) -> String

  /// Takes each column of the table of settings by its name; most are left out.
  init(
    _ name: String, _ help: String, valueName: String? = nil, default standard: String? = nil,
    defaultWords standardWords: String? = nil, allowed: String, choices: [String] = [],
    isSwitch: Bool = false,
    isNumber: Bool = false, describe: @escaping @Sendable (Value) -> String = { "\($0)" },
    parse: @escaping @Sendable (String) throws(SettingRefusal) -> Value
  ) {
    self.name = name
    self.help = help
    self.valueName = valueName
    self.standard = standard
    self.standardWords = standardWords
    self.allowed = allowed
    self.choices = choices
    self.isSwitch = isSwitch
    self.isNumber = isNumber
    self.parse = parse
    self.describe = describe
  }

  /// - Throws: an error if `text` is not a valid value.
  func value(_ text: String) throws(SettingRefusal) -> Value { try parse(text) }
}

/// A setting without the type of its values.
protocol AnySetting: Sendable {
  var name: String { get }
  var help: String { get }
  var standard: String? { get }
  var standardWords: String? { get }
  var allowed: String { get }
  var isNumber: Bool { get }

  /// The value of `text`, written in canonical form.
  /// - Throws: an error if it is not a valid value.
  func normalized(_ text: String) throws(SettingRefusal) -> String

  /// Sets the field of the server that the setting is for, if there is one.
  func apply(_ sources: SettingSources, to server: inout ServerSettings) throws
}

extension AnySetting {
  /// `CELLFACTORY_BODY_LIMIT_BYTES` for `body-limit-bytes`.
  var variable: String { SettingSources.variable(name) }
}

extension Setting: AnySetting {
  func apply(_ sources: SettingSources, to server: inout ServerSettings) throws {
    if let field { server[keyPath: field] = try sources[self] }
  }

  func normalized(_ text: String) throws(SettingRefusal) -> String { describe(try parse(text)) }
}

/// Why a text is not a valid value of a setting.
struct SettingRefusal: Error {
  /// `nil` if it does not match `allowed`.
  var reason: String?
}
