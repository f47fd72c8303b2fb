/// Formats by names of one's own: `formats.json`.
package struct FormatNames: Sendable {
  package static let none = FormatNames()

  /// By name, each with its variants.
  private(set) var formats: [ExactString: ValueFormat] = [:]
  /// The names, sorted.
  private(set) var names: [String] = []

  package init() {}

  /// An entry of the file.
  package struct Entry: Sendable {
    package let name: String
    /// The locale behind `@`; nil if it has none.
    package let locale: String?
    let format: ValueFormat
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
  /// - Parameter isLocale: whether a tag is one that is known.
  package static func entry(
    _ key: String, _ format: [UInt8], isLocale: (String) -> Bool
  ) throws(Fault) -> Entry {
    let parts = key.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let name = parts[0]
    let isWord =
      !name.isEmpty && name.utf8.count <= NearestName.limitBytes
      && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7C && $0.value != 0x3D }
      && !NameRule.holdsControl(name.utf8)
    if !isWord {
      throw Fault(
        code: .invalidFormat, offset: nil, message: "\"\(FormatParser.shown(key))\" is no name of a format",
        hint: "write one word, without | and =")
    }
    if FormatParser.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw Fault(
        code: .invalidFormat, offset: nil, message: "\"\(name)\" is a format that there is already",
        hint: "give it another name")
    }
    if parts.count == 2, !isLocale(parts[1]) {
      throw Fault(
        code: .unknownLocale, offset: nil, message: "there is no locale \"\(FormatParser.shown(parts[1]))\"",
        hint: "write a tag of CLDR: \(FormatParser.shown(name))@de")
    }
    do throws(FormatParser.Fault) {
      return Entry(
        name: name, locale: parts.count == 2 ? parts[1] : nil, format: try FormatParser.builtIn(format))
    } catch {
      throw Fault(code: error.code, offset: error.offset, message: error.message, hint: error.hint)
    }
  }

  /// The names of all entries.
  /// - Returns: also the names of entries with a locale that have none without.
  package static func names(of entries: [Entry]) -> (names: FormatNames, lacking: [String]) {
    var names = FormatNames()
    for entry in entries where entry.locale == nil { names.formats[ExactString(entry.name)] = entry.format }
    var lacking: [String] = []
    for entry in entries {
      guard let locale = entry.locale else { continue }
      let name = ExactString(entry.name)
      if names.formats[name] == nil {
        lacking.append(entry.name)
      } else {
        names.formats[name]?.variants.append(.init(locale: locale, format: entry.format))
      }
    }
    for name in names.formats.keys {
      names.formats[name]?.variants.sort { $0.locale.utf8.lexicographicallyPrecedes($1.locale.utf8) }
    }
    names.names = names.formats.keys.sorted().map(\.text)
    return (names, lacking)
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
