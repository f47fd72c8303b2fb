/// Reads the options of one format.
struct OptionReader {
  let kind: FormatKind
  /// What has been said, so that nothing is said twice.
  private var said: Set<String> = []

  init(kind: FormatKind) { self.kind = kind }

  /// Takes an option.
  /// - Returns: false if the format does not have it, or has it already.
  mutating func take(
    _ word: String, _ pair: (key: String, value: String)?, _ format: WrittenFormat
  ) throws(FormatParser.Fault) -> Bool {
    if let pair { return said.insert(pair.key).inserted && takePair(pair.key, pair.value, format) }
    return said.insert("a word").inserted && takeWord(word, format)
  }

  private func takeWord(_ word: String, _ format: WrittenFormat) -> Bool {
    switch kind {
    case .currency: return takeCurrency(word, format)
    case .date:
      guard let length = Self.lengths[word] else { return false }
      format.length = length
    case .datetime:
      guard let length = Self.lengths[word], length.rawValue <= FormatEntry.Length.full.rawValue else {
        return false
      }
      format.length = length
    case .time:
      // Short is the default, and has no seconds.
      guard word == "short" || word == "medium" else { return false }
      format.length = word == "medium" ? .medium : .short
    case .relative:
      guard word == "long" || word == "short" else { return false }
      format.length = word == "short" ? .short : .long
    case .list:
      guard word == "and" || word == "or" else { return false }
      if word == "or" { format.marks.insert(.or) }
    case .truncate:
      guard let number = UInt32(word), String(number) == word, number > 0,
        number <= FormatEntry.characterLimit
      else { return false }
      format.characters = number
    default: return false
    }
    return true
  }

  private static let lengths: [String: FormatEntry.Length] = [
    "medium": .medium, "short": .short, "long": .long, "full": .full, "month-day": .monthDay,
    "year-month": .yearMonth, "weekday": .weekday, "month-day-weekday": .monthDayWeekday, "year": .year,
  ]

  /// Three capital letters are a code, any other word is a name.
  private func takeCurrency(_ word: String, _ format: WrittenFormat) -> Bool {
    let bytes = Array(word.utf8)
    if bytes.count == 3, bytes.allSatisfy({ $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) {
      format.currency = .code(bytes)
      return true
    }
    let segments = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if segments.contains("") || NameRule.fault(in: bytes) != nil { return false }
    // Of what is no member of the data, none is a code.
    if bytes.first == UInt8(ascii: "@"), segments.count == 1 || segments[0] != "@row" { return false }
    format.currency = .name(segments)
    return true
  }

  private func takePair(_ key: String, _ value: String, _ format: WrittenFormat) -> Bool {
    switch (key, value) {
    case ("sign", "always") where [.number, .integer, .percent].contains(kind):
      format.marks.insert(.signAlways)
    case ("digits", "auto") where kind == .currency: break
    case ("digits", _) where [.number, .percent, .currency].contains(kind):
      guard let digits = Self.digits(value), kind != .currency || digits.count == 1 else { return false }
      format.digits = digits
    case ("symbol", "standard") where kind == .currency: break
    case ("symbol", "narrow") where kind == .currency: format.marks.insert(.symbolNarrow)
    case ("symbol", "code") where kind == .currency: format.marks.insert(.symbolCode)
    case ("epoch", "s") where kind.takes == .date: format.marks.insert(.epochSeconds)
    case ("epoch", "ms") where kind.takes == .date: format.marks.insert(.epochMilliseconds)
    default: return false
    }
    return true
  }

  /// `N`, or `N-M`.
  private static func digits(_ text: String) -> ClosedRange<UInt32>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part -> UInt32? in
      guard let number = UInt32(part), String(number) == part, number <= FormatEntry.digitLimit else {
        return nil
      }
      return number
    }
    guard parts.count <= 2, let least = parts[0], let most = parts[parts.count - 1], least <= most else {
      return nil
    }
    return least...most
  }
}
