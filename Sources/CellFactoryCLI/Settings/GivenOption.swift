import ArgumentParser

/// A setting that stands on the command line. Whether its value is allowed is judged with those of the environment.
struct GivenOption: CustomStringConvertible {
  var name: String
  var text: String

  /// As the help shows a value.
  var description: String { text }
}

extension Option where Value == GivenOption? {
  /// The option of a setting.
  init<Kind>(_ setting: Setting<Kind>) {
    let name = setting.name
    let help = ArgumentHelp(
      setting.optionHelp, valueName: setting.valueName ?? (setting.isSwitch ? "on|off" : nil))
    let completion = setting.choices.isEmpty ? nil : CompletionKind.list(setting.choices)
    let given: @Sendable (String) -> GivenOption = { GivenOption(name: name, text: $0) }
    if setting.isSwitch {
      self.init(
        name: .customLong(name), defaultAsFlag: given("on"), help: help, completion: completion,
        transform: given)
    } else {
      self.init(name: .customLong(name), help: help, completion: completion, transform: given)
    }
  }
}

extension Setting {
  /// The help with the values there are and the default behind it.
  fileprivate var optionHelp: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("values: " + choices.joined(separator: ", ")) }
    if let standard = standardWords ?? standard { notes.append("default: " + standard) }
    guard !notes.isEmpty else { return help }
    return (help.hasSuffix(".") ? String(help.dropLast()) : help) + " (\(notes.joined(separator: "; ")))."
  }
}

/// What holds options of settings: an option, a group of them, a command.
protocol GivenOptions {
  var givenOptions: [GivenOption] { get }
}

extension Option: GivenOptions where Value == GivenOption? {
  var givenOptions: [GivenOption] { wrappedValue.map { [$0] } ?? [] }
}

extension OptionGroup: GivenOptions {
  var givenOptions: [GivenOption] { wrappedValue.givenOptions }
}

extension ParsableArguments {
  /// The settings given as options, found by reflection, as ArgumentParser itself finds options: no list of them needs to
  /// be kept.
  var givenOptions: [GivenOption] {
    Mirror(reflecting: self).children.flatMap { ($0.value as? any GivenOptions)?.givenOptions ?? [] }
  }
}
