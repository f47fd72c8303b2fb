/// Reads formats: a name, and options separated by white space.
///
/// ```
/// number digits=2   currency EUR symbol=narrow   date long epoch=s   list or   truncate 80
/// ```
struct FormatParser {
  /// A text that is no format.
  struct Fault: Error, Equatable {
    let code: DiagnosticCode
    /// The offset in the text, in bytes.
    let offset: Int
    let message: String
    let hint: String
  }

  /// A longer format is not read.
  static let limitBytes = 256
  /// The most numbers of a rule for plurals.
  private static let numberLimit = 16

  /// The names of formats with what each takes, for messages.
  private static let options: [(name: String, kind: FormatKind, options: String)] = [
    ("number", .number, "digits=N, digits=N-M and sign=always"),
    ("integer", .integer, "sign=always"),
    ("percent", .percent, "digits=N, digits=N-M and sign=always"),
    (
      "currency", .currency,
      "a code or a name, as in currency EUR, then digits=auto, digits=N, symbol=standard, symbol=narrow and symbol=code"
    ),
    (
      "date", .date,
      "medium, short, long or full, or month-day, year-month, weekday, month-day-weekday or year; epoch=s and epoch=ms"
    ),
    ("time", .time, "short or medium; epoch=s and epoch=ms"),
    ("datetime", .datetime, "medium, short, long or full; epoch=s and epoch=ms"),
    ("relative", .relative, "long or short; epoch=s and epoch=ms"),
    ("list", .list, "and, or"),
    ("truncate", .truncate, "a number of characters, as in truncate 80"),
  ]
  private static let pluralOptions = "zero, one, two, few, many, other, numbers as =0, and ordinal"

  /// The names that formats of one's own may not have.
  static let names = options.map(\.name) + ["plural"]

  private struct Word {
    let text: String
    let offset: Int
    /// The parts of `key=word`.
    var pair: (key: String, value: String)? {
      guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")), sign > text.utf8.startIndex else {
        return nil
      }
      return (String(text[..<sign]), String(text[text.utf8.index(after: sign)...]))
    }
  }

  // MARK: Formats

  /// The format that a template says.
  /// - Parameter own: named formats.
  static func format(_ text: [UInt8], own: NamedFormats) throws(Fault) -> WrittenFormat {
    let words = try words(of: text)
    if let found = own.formats[ExactString(words[0].text)] {
      if words.count > 1 {
        throw Fault(
          code: .invalidFormat, offset: words[1].offset,
          message: "\"\(shown(words[0].text))\" is a name of formats.json, and takes no options",
          hint: "write the options there, or give another format a name")
      }
      return found
    }
    return try builtIn(words, near: own.names)
  }

  /// A format that has no name of one's own.
  static func builtIn(_ text: [UInt8]) throws(Fault) -> WrittenFormat {
    try builtIn(words(of: text), near: [])
  }

  private static func words(of text: [UInt8]) throws(Fault) -> [Word] {
    if text.count > limitBytes {
      throw Fault(
        code: .invalidFormat, offset: 0, message: "the format is longer than \(limitBytes) bytes",
        hint: "write a name and its options")
    }
    var words: [Word] = []
    var position = 0
    while position < text.count {
      if isSpace(text[position]) {
        position += 1
        continue
      }
      let start = position
      while position < text.count, !isSpace(text[position]) { position += 1 }
      words.append(Word(text: String(decoding: text[start..<position], as: UTF8.self), offset: start))
    }
    if words.isEmpty {
      throw Fault(
        code: .invalidFormat, offset: 0, message: "the format is missing",
        hint: "write one, such as number, currency EUR or date long")
    }
    if words[0].text == "|" {
      throw Fault(
        code: .invalidFormat, offset: 0, message: "a format begins with its name",
        hint: "remove a bar: {{published | date long}}, data-format=\"date long\"")
    }
    if words[0].text.utf8.first == UInt8(ascii: "|") {
      throw Fault(
        code: .invalidFormat, offset: 0, message: "there is no \"||\" here",
        hint: "write a section for each: {{#x}}{{x}}{{/x}}{{^x}}{{y}}{{/x}}, or send the value")
    }
    if let bar = words.first(where: { $0.text.utf8.contains(UInt8(ascii: "|")) }) {
      throw Fault(
        code: .invalidFormat, offset: bar.offset, message: "formats are not chained",
        hint: "write one format, or prepare the value in the data")
    }
    return words
  }

  private static func builtIn(_ words: [Word], near own: [String]) throws(Fault) -> WrittenFormat {
    let name = words[0].text
    guard let known = options.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      if name == "plural" {
        throw Fault(
          code: .invalidFormat, offset: words[0].offset, message: "plural is allowed only in sections",
          hint: "write {{#count | plural one}}…{{/count}}, or data-plural=\"count\" in a nib")
      }
      let near = NearestName.find(name, among: names + own)
      throw Fault(
        code: .unknownFormat, offset: words[0].offset, message: "there is no format \"\(shown(name))\"",
        hint: near.map { "did you mean \($0)?" } ?? "the formats are \(Self.names.joined(separator: ", "))")
    }
    let format = WrittenFormat(kind: known.kind, text: words.map(\.text).joined(separator: " "))
    if known.kind == .integer { format.digits = 0...0 }
    var reader = OptionReader(kind: known.kind)
    for word in words.dropFirst() {
      if try !reader.take(word.text, word.pair, format) {
        throw invalid(word, of: name, known.options)
      }
    }
    if known.kind == .currency, format.currency == nil {
      throw Fault(
        code: .invalidFormat, offset: words[0].offset, message: "currency has no code and no name",
        hint: "write currency EUR, or the name of a value that is a code: currency price.currency")
    }
    if known.kind == .truncate, format.characters == 0 {
      throw Fault(
        code: .invalidFormat, offset: words[0].offset, message: "truncate has no number",
        hint: "write how many characters stay: truncate 80")
    }
    return format
  }

  private static func invalid(_ word: Word, of name: String, _ options: String) -> Fault {
    Fault(
      code: .invalidFormat, offset: word.offset,
      message: "\"\(shown(word.text))\" is not an option of \(name), or contradicts another",
      hint: "\(name) takes \(options)")
  }

  // MARK: Plurals

  /// The rule of a section.
  static func plural(_ text: [UInt8]) throws(Fault) -> PluralRule {
    let words = try words(of: text)
    if words[0].text != "plural" {
      throw Fault(
        code: .invalidFormat, offset: words[0].offset, message: "a section takes no format but plural",
        hint: "write {{#count | plural one}}…{{/count}}, or put the format after a name inside it")
    }
    return try plural(words.dropFirst(), at: words[0].offset)
  }

  /// The rule of a `data-case`.
  static func cases(_ text: [UInt8]) throws(Fault) -> PluralRule {
    try plural(words(of: text)[...], at: 0)
  }

  private static func plural(_ words: ArraySlice<Word>, at start: Int) throws(Fault) -> PluralRule {
    let rule = PluralRule()
    for word in words {
      if let category = ConditionEntry.Categories.names.firstIndex(where: {
        $0.utf8.elementsEqual(word.text.utf8)
      }) {
        rule.categories |= 1 << UInt32(category)
      } else if word.text == "ordinal" {
        rule.isOrdinal = true
      } else if word.text.utf8.first == UInt8(ascii: "="), rule.numbers.count < numberLimit,
        word.text.utf8.count <= ConditionLiteralEntry.wordLimitBytes,
        ConditionLiteralEntry.isNumber(Array(word.text.utf8.dropFirst())[...])
      {
        rule.numbers.append(Array(word.text.utf8.dropFirst()))
      } else {
        throw invalid(word, of: "plural", pluralOptions)
      }
    }
    if rule.categories == 0, rule.numbers.isEmpty {
      throw Fault(
        code: .invalidFormat, offset: start, message: "plural needs a category or a number",
        hint: "plural takes \(pluralOptions)")
    }
    return rule
  }

  // MARK: Words

  static func shown(_ text: String) -> String { NameRule.shown(Array(text.utf8)) }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
