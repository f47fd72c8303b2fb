/// Reads the conditions of `data-when`, and those in `data-bind`.
///
/// ```
/// PATH   !PATH   PATH=LITERAL,LITERAL   PATH!=LITERAL   PATH<LITERAL   <=   >   >=
/// ```
/// A literal is a word, `'a text'` with `''` for a quote in it, or `{PATH}`. White space may be around operators, and
/// after commas.
struct ConditionParser {
  /// A text that is no condition.
  struct Fault: Error, Equatable {
    /// The offset in the text, in bytes.
    let offset: Int
    let message: String
    let hint: String
    /// nil for that of the attribute it is in.
    var code: DiagnosticCode?
  }

  /// The most conditions of one attribute, and literals of one condition.
  static let limit = 32

  let text: [UInt8]
  private(set) var position: Int
  private let end: Int
  /// Whether a semicolon may follow a condition.
  private let endsAtSemicolon: Bool

  /// - Parameter range: the part of the text to read.
  init(_ text: [UInt8], in range: Range<Int>, endsAtSemicolon: Bool = false) {
    self.text = text
    position = range.lowerBound
    end = range.upperBound
    self.endsAtSemicolon = endsAtSemicolon
  }

  /// The conditions of a text, separated by white space: at least one.
  static func conditions(in text: [UInt8]) throws(Fault) -> [Condition] {
    var parser = ConditionParser(text, in: text.indices)
    var conditions: [Condition] = []
    parser.skipSpaces()
    while !parser.isAtEnd {
      if conditions.count == limit {
        throw Fault(
          offset: parser.position, message: "there are more than \(limit) conditions",
          hint: "compute their outcome in the data")
      }
      conditions.append(try parser.condition())
      parser.skipSpaces()
    }
    if conditions.isEmpty {
      throw Fault(
        offset: 0, message: "the condition is empty", hint: "name what must be there: data-when=\"author\"")
    }
    return conditions
  }

  var isAtEnd: Bool { position == end }
  var next: UInt8? { position < end ? text[position] : nil }

  /// Skips the next byte.
  mutating func skip() { position += 1 }

  mutating func skipSpaces() {
    while let byte = next, HTMLTokenizer.isSpace(byte) { position += 1 }
  }

  mutating func condition() throws(Fault) -> Condition {
    if next == UInt8(ascii: "!") {
      position += 1
      skipSpaces()
      let path = try path()
      let end = position
      skipSpaces()
      if let byte = next, "=<>".utf8.contains(byte) || text[position..<self.end].starts(with: "!=".utf8) {
        throw Fault(
          offset: position, message: "\"!\" goes before a name on its own",
          hint: "write \(path.text)!=word for what differs, \(path.text)>=5 for what is not less")
      }
      position = end
      return Condition(comparison: .falsy, path: path)
    }
    let path = try path()
    let afterPath = position
    skipSpaces()
    guard let comparison = try comparison() else {
      position = afterPath
      return Condition(path: path)
    }
    skipSpaces()
    var literals = [try literal(for: comparison)]
    while true {
      let afterLiteral = position
      skipSpaces()
      guard !comparison.orders, next == UInt8(ascii: ",") else {
        position = afterLiteral
        break
      }
      position += 1
      skipSpaces()
      if literals.count == Self.limit {
        throw Fault(
          offset: position, message: "there are more than \(Self.limit) words to compare with",
          hint: "compute the outcome in the data")
      }
      literals.append(try literal(for: comparison))
    }
    if next == UInt8(ascii: ",") {
      throw Fault(
        offset: position, message: "an order has one number", hint: "compare with one number: stock<5")
    }
    if let byte = next, !HTMLTokenizer.isSpace(byte), !(endsAtSemicolon && byte == UInt8(ascii: ";")) {
      throw Fault(
        offset: position, message: "\"\(Character(UnicodeScalar(byte)))\" is not expected here",
        hint: "separate conditions by white space: data-when=\"author stock=out\"")
    }
    return Condition(comparison: comparison, path: path, literals: literals)
  }

  private mutating func comparison() throws(Fault) -> ConditionEntry.Comparison? {
    func isNext(_ sign: String) -> Bool { text[position..<end].starts(with: sign.utf8) }
    if isNext("==") {
      throw Fault(
        offset: position, message: "\"==\" is not an operator", hint: "write one equals sign: stock=out")
    }
    let operators: [(String, ConditionEntry.Comparison)] = [
      ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("=", .equal), ("<", .less),
      (">", .greater),
    ]
    guard let (sign, comparison) = operators.first(where: { isNext($0.0) }) else { return nil }
    position += sign.utf8.count
    return comparison
  }

  /// A path: dotted names, `.`, or a name that loops provide.
  mutating func path() throws(Fault) -> MustacheName {
    let start = position
    while let byte = next, !HTMLTokenizer.isSpace(byte), !Self.endsPaths(byte) { position += 1 }
    let name = text[start..<position]
    guard let path = NibPath.name(name) else {
      if next == UInt8(ascii: "|") {
        throw Fault(offset: position, message: "all conditions must hold", hint: ForeignConditions.orHint)
      }
      if name.isEmpty {
        throw Fault(
          offset: start, message: "a name is expected here",
          hint: "write conditions as NAME, !NAME, NAME=word, NAME!=word or NAME<5")
      }
      throw Fault(
        offset: start, message: "\"\(NameRule.shown(name))\" is not a valid name",
        hint: "write names with single dots between them: author.name")
    }
    return path
  }

  /// The characters that no path has.
  static func endsPaths(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "'"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  private mutating func literal(for comparison: ConditionEntry.Comparison) throws(Fault) -> ConditionLiteral {
    let start = position
    let literal: ConditionLiteral
    switch next {
    case UInt8(ascii: "'"): literal = .quoted(try quoted())
    case UInt8(ascii: "{"): return .path(try bracedPath())
    default:
      while let byte = next, !HTMLTokenizer.isSpace(byte), byte != UInt8(ascii: ","),
        byte != UInt8(ascii: ";")
      {
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{")
          || byte == UInt8(ascii: "}")
        {
          throw Fault(
            offset: position, message: "a word has no quotes and braces",
            hint: "put the whole text in single quotes: title='a text'")
        }
        position += 1
      }
      if position == start {
        throw Fault(
          offset: start, message: "the word to compare with is missing",
          hint: "write it after the operator: stock=out; an empty text is ''")
      }
      guard position - start <= ConditionLiteralEntry.wordLimitBytes else {
        throw Fault(
          offset: start, message: "the word has more than \(ConditionLiteralEntry.wordLimitBytes) bytes",
          hint: "write a shorter number, or put a long text in single quotes: title='a text'")
      }
      literal = .word(Array(text[start..<position]))
    }
    if comparison.orders {
      guard case .word(let word) = literal, ConditionLiteralEntry.isNumber(word[...]) else {
        throw Fault(
          offset: start, message: "an order needs a number",
          hint: "write a JSON number: stock<5, or a name in braces: stock<{limit}")
      }
    }
    return literal
  }

  /// A text in single quotes.
  mutating func quoted() throws(Fault) -> [UInt8] {
    let start = position
    var bytes: [UInt8] = []
    position += 1
    while let byte = next {
      position += 1
      guard byte == UInt8(ascii: "'") else {
        bytes.append(byte)
        continue
      }
      guard next == UInt8(ascii: "'") else { return bytes }
      bytes.append(byte)
      position += 1
    }
    throw Fault(
      offset: start, message: "the text in quotes is not closed",
      hint: "close it with ', and write '' for a quote in it")
  }

  /// `{PATH}`
  mutating func bracedPath() throws(Fault) -> MustacheName {
    let start = position
    position += 1
    skipSpaces()
    let path = try path()
    skipSpaces()
    guard next == UInt8(ascii: "}") else {
      throw Fault(offset: start, message: "the brace is not closed", hint: "write a name in braces: {limit}")
    }
    position += 1
    return path
  }
}
