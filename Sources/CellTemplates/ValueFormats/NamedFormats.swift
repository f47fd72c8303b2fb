/// The formats that `formats.json` names.
package struct NamedFormats: Sendable {
  package static let none = NamedFormats()

  /// By name, each with its variants.
  private(set) var formats: [ExactString: WrittenFormat] = [:]
  /// The names, sorted.
  private(set) var names: [String] = []

  package init() {}

  /// An entry of the file.
  package struct Entry: Sendable {
    /// The name with its locale, as written.
    package let key: String
    package let name: String
    /// The locale after `@`; nil if it has none.
    package let locale: OfferedLocales.Known?
    let format: WrittenFormat
  }

  /// What is wrong with an entry.
  package struct Fault: Error {
    package let code: DiagnosticCode
    /// The offset in the format's text; nil if the name is at fault.
    package let offset: Int?
    package let message: String
    package let hint: String
  }

  /// Reads an entry.
  package static func entry(_ key: String, _ format: [UInt8]) throws(Fault) -> Entry {
    let parts = key.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let name = parts[0]
    let isWord =
      !name.isEmpty && name.utf8.count <= NearestName.limitBytes
      && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7C && $0.value != 0x3D }
      && !NameRule.holdsControl(name.utf8)
    if !isWord {
      throw Fault(
        code: .invalidFormat, offset: nil,
        message: "\"\(FormatParser.shown(key))\" is not a valid name for a format",
        hint: "write one word, without | and =")
    }
    if FormatParser.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw Fault(
        code: .invalidFormat, offset: nil, message: "\"\(name)\" is the name of a built-in format",
        hint: "give it another name")
    }
    let locale = parts.count == 2 ? OfferedLocales.known(parts[1]) : nil
    if parts.count == 2, locale == nil {
      throw Fault(
        code: .unknownLocale, offset: nil, message: "there is no locale \"\(FormatParser.shown(parts[1]))\"",
        hint: "write a tag of CLDR: \(FormatParser.shown(name))@de")
    }
    do throws(FormatParser.Fault) {
      return Entry(key: key, name: name, locale: locale, format: try FormatParser.builtIn(format))
    } catch {
      throw Fault(code: error.code, offset: error.offset, message: error.message, hint: error.hint)
    }
  }

  /// The names of all entries. What verifies archives asks the same of variants.
  /// - Returns: also what is wrong with entries that have a locale, each by its key.
  package static func names(of entries: [Entry]) -> (names: NamedFormats, faults: [(key: String, Fault)]) {
    var names = NamedFormats()
    for entry in entries where entry.locale == nil { names.formats[ExactString(entry.name)] = entry.format }
    var faults: [(key: String, Fault)] = []
    var keys: [ExactString: [UInt32: String]] = [:]
    for entry in entries {
      guard let locale = entry.locale else { continue }
      let name = ExactString(entry.name)
      if let fault = fault(of: entry, of: names.formats[name], besides: keys[name]?[locale.index]) {
        faults.append((entry.key, fault))
        continue
      }
      keys[name, default: [:]][locale.index] = entry.key
      names.formats[name]?.variants.append(.init(locale: locale.tag, format: entry.format))
    }
    for name in names.formats.keys {
      names.formats[name]?.variants.sort { $0.locale.utf8.lexicographicallyPrecedes($1.locale.utf8) }
    }
    names.names = names.formats.keys.sorted().map(\.text)
    return (names, faults)
  }

  /// What is wrong with an entry that has a locale.
  /// - Parameters:
  ///   - format: the format that it replaces.
  ///   - other: the key of another entry for the same locale.
  private static func fault(of entry: Entry, of format: WrittenFormat?, besides other: String?) -> Fault? {
    let (name, key) = (FormatParser.shown(entry.name), FormatParser.shown(entry.key))
    func fault(_ message: String, hint: String) -> Fault {
      Fault(code: .invalidFormat, offset: nil, message: message, hint: hint)
    }
    guard let format else {
      return fault(
        "\"\(name)\" has no format for other locales", hint: "add one without @: {\"\(name)\": \"…\"}")
    }
    if !entry.format.kind.isVariant(of: format.kind) {
      return format.kind == .list
        ? fault("\"\(name)\" is a list, but \"\(key)\" is not", hint: "write a list: {\"\(key)\": \"list\"}")
        : fault(
          "\"\(key)\" is a list, but \"\(name)\" is not", hint: "write another format, or make both lists")
    }
    return other.map {
      fault("\"\(key)\" and \"\(FormatParser.shown($0))\" are for the same locale", hint: "remove one")
    }
  }

  /// Whether there is a format of this name, built in or not.
  func contain(_ name: String) -> Bool {
    FormatParser.names.contains { $0.utf8.elementsEqual(name.utf8) } || formats[ExactString(name)] != nil
  }

  /// Bytes that differ if anything differs.
  var digest: [UInt8] {
    names.flatMap { name -> [UInt8] in
      guard let format = formats[ExactString(name)] else { return [] }
      let variants = format.variants.map { "@\($0.locale) \($0.format.text)" }
      return Array(([name, format.text] + variants).joined(separator: "\n").utf8) + [0]
    }
  }
}
