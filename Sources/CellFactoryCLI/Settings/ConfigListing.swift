import ArgumentParser

/// The output of `serve --print-config`: each setting with its value and its source.
struct ConfigListing {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
  }

  private struct Row {
    var setting: any AnySetting
    var value: String?
    /// The option or variable as users write it, or `default`.
    var source: String
  }

  private let rows: [Row]

  /// - Parameter settings: must have been checked.
  init(_ settings: [any AnySetting], from sources: SettingSources) {
    rows = settings.map { setting in
      guard let (text, origin) = sources.text(of: setting) else {
        return Row(setting: setting, source: "default")
      }
      return Row(
        setting: setting, value: (try? setting.normalized(text)) ?? text,
        source: SettingSources.name(of: origin, for: setting))
    }
  }

  func text(_ form: Form) -> String {
    switch form {
    case .text: table()
    case .json: json()
    }
  }

  /// A table with the columns name, value (`-` if not set) and source.
  private func table() -> String {
    let values = rows.map { $0.value.map(Self.printable) ?? "-" }
    let nameWidth = rows.map(\.setting.name.count).max() ?? 0
    let valueWidth = values.map(\.count).max() ?? 0
    let lines = zip(rows, values).map { row, value in
      Self.padded(row.setting.name, nameWidth) + "  " + Self.padded(value, valueWidth) + "  " + row.source
    }
    return lines.joined(separator: "\n")
  }

  /// `{"settings":[{"name":"port","value":8080,"source":"default"}, …]}`; the value is `null` if not set.
  private func json() -> String {
    let objects = rows.map { row in
      var value = "null"
      if let text = row.value { value = row.setting.isNumber ? text : Self.quoted(text) }
      return
        "  {\"name\":\(Self.quoted(row.setting.name)),\"value\":\(value),\"source\":\(Self.quoted(row.source))}"
    }
    return "{\"settings\":[\n" + objects.joined(separator: ",\n") + "\n]}"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  /// The value itself, or as a JSON string if it is not a single word.
  static func printable(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\"" }
    return isPlain && !text.isEmpty && text != "-" ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    LogEscaping.appendQuoted(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
