import ArgumentParser

/// A setting given on the command line. Its value is validated together with those of the environment.
struct GivenOption: CustomStringConvertible {
  var name: String
  var text: String

  /// The text shown as the value in the help.
  var description: String { text }
}

extension Option where Value == GivenOption? {
  /// The option of a setting. If it is repeated, the last one counts.
  init<Kind>(_ setting: Setting<Kind>) {
    let given = setting.given
    if setting.isSwitch {
      self.init(
        name: .customLong(setting.name), defaultAsFlag: given("on"), help: setting.argumentHelp,
        completion: setting.completion, transform: given)
    } else {
      self.init(
        name: .customLong(setting.name), help: setting.argumentHelp, completion: setting.completion,
        transform: given)
    }
  }
}

extension Option where Value == [GivenOption] {
  /// The option of a setting that is a list. Repeated values are joined with commas.
  init<Kind>(repeated setting: Setting<Kind>) {
    self.init(
      wrappedValue: [], name: .customLong(setting.name), help: setting.argumentHelp,
      completion: setting.completion, transform: setting.given)
  }
}

extension Setting {
  fileprivate var given: @Sendable (String) -> GivenOption {
    let name = name
    return { GivenOption(name: name, text: $0) }
  }

  fileprivate var argumentHelp: ArgumentHelp {
    ArgumentHelp(optionHelp, valueName: valueName ?? (isSwitch ? "on|off" : nil))
  }

  fileprivate var completion: CompletionKind? { choices.isEmpty ? nil : .list(choices) }

  /// The help, followed by the values and the default.
  private var optionHelp: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("values: " + choices.joined(separator: ", ")) }
    if let standard = standardWords ?? standard { notes.append("default: " + standard) }
    guard !notes.isEmpty else { return help }
    return (help.hasSuffix(".") ? String(help.dropLast()) : help) + " (\(notes.joined(separator: "; ")))."
  }
}

/// Anything with options of settings: an option, an option group, a command.
protocol GivenOptions {
  var givenOptions: [GivenOption] { get }
}

extension Option: GivenOptions {
  /// Empty if it is not the option of a setting.
  var givenOptions: [GivenOption] {
    switch wrappedValue {
    case let one as GivenOption: return [one]
    case let several as [GivenOption]:
      guard let name = several.first?.name else { return [] }
      return [GivenOption(name: name, text: several.map(\.text).joined(separator: ","))]
    default: return []
    }
  }
}

extension OptionGroup: GivenOptions {
  var givenOptions: [GivenOption] { wrappedValue.givenOptions }
}

extension ParsableArguments {
  /// The settings given as options, found by reflection like in ArgumentParser itself, so that no list is
  /// needed.
  var givenOptions: [GivenOption] {
    Mirror(reflecting: self).children.flatMap { ($0.value as? any GivenOptions)?.givenOptions ?? [] }
  }
}
