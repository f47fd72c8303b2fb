/// The state of the JSON in a data script: static JSON with holes for whole values.
///
/// Source: RFC 8259. Strict, because an error before or after a hole would change what the value means.
struct JSONContext: Hashable {
  fileprivate enum Expected {
    case value
    /// A value, or the `]` of an empty array.
    case firstItem
    /// A name, or the `}` of an empty object.
    case firstName
    case name
    case colon
    /// A comma or the end of the innermost array or object.
    case end
  }

  private enum Token: Hashable {
    case none
    case string(isName: Bool)
    case escape(isName: Bool)
    case unicode(isName: Bool, left: Int)
    /// A number or word, which must be complete when it ends.
    case word([UInt8])
  }

  /// What may be expected here, depending on the sections before.
  private var cases: Set<Case> = [Case(expected: .value)]
  private var open = JSONBrackets()
  private var token = Token.none
  /// Whether there was a hole or a section. JSON without them is the author's responsibility and is not checked.
  private(set) var hasHole = false
  private(set) var isBroken = false

  mutating func feed(_ byte: UInt8) {
    if isBroken { return }
    switch token {
    case .none: begin(byte)
    case .string(let isName):
      if byte == UInt8(ascii: "\"") {
        token = .none
        expect(isName ? .colon : .end)
      } else if byte == UInt8(ascii: "\\") {
        token = .escape(isName: isName)
      } else if byte < 0x20 {
        isBroken = true
      }
    case .escape(let isName):
      if byte == UInt8(ascii: "u") {
        token = .unicode(isName: isName, left: 4)
      } else if Array("\"\\/bfnrt".utf8).contains(byte) {
        token = .string(isName: isName)
      } else {
        isBroken = true
      }
    case .unicode(let isName, let left):
      if !Self.isHex(byte) { isBroken = true }
      token = left == 1 ? .string(isName: isName) : .unicode(isName: isName, left: left - 1)
    case .word(var word):
      if Self.isWordByte(byte), word.count < 4096 {
        // Released first, so that appending does not copy the array for each byte.
        token = .none
        word.append(byte)
        token = .word(word)
      } else {
        endWord()
        begin(byte)
      }
    }
  }

  private mutating func begin(_ byte: UInt8) {
    if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
    switch byte {
    case UInt8(ascii: "{") where takesValue:
      open.append(byte)
      expect(.firstName)
    case UInt8(ascii: "[") where takesValue:
      open.append(byte)
      expect(.firstItem)
    case UInt8(ascii: "\"") where takesValue: token = .string(isName: false)
    case UInt8(ascii: "\"") where expects([.firstName, .name]): token = .string(isName: true)
    case UInt8(ascii: ":") where expects([.colon]): expect(.value)
    case UInt8(ascii: ",") where expects([.end]) && !open.isEmpty:
      expect(open.last == UInt8(ascii: "{") ? .name : .value)
    case UInt8(ascii: "}") where open.last == UInt8(ascii: "{") && expects([.end, .firstName]),
      UInt8(ascii: "]") where open.last == UInt8(ascii: "[") && expects([.end, .firstItem]):
      open.removeLast()
      expect(.end)
    case _ where takesValue && Self.isWordByte(byte): token = .word([byte])
    default: isBroken = true
    }
  }

  private var takesValue: Bool { expects([.value, .firstItem]) }

  /// Whether one of these is expected in every case.
  private func expects(_ some: Set<Expected>) -> Bool { cases.allSatisfy { some.contains($0.expected) } }

  private mutating func expect(_ next: Expected) {
    cases = Set(cases.map { Case(expected: next, isFirst: $0.isFirst, isLast: $0.isLast) })
  }

  private mutating func endWord() {
    guard case .word(let word) = token else { return }
    token = .none
    expect(.end)
    if !Self.isScalar(word) { isBroken = true }
  }

  mutating func hole() throws(Refusal) -> Escaper {
    endWord()
    if let place = placeInString {
      throw Refusal(
        .invalidJSONBlock, "a value in a JSON block is \(place)",
        hint:
          "write a whole JSON value without quotes: {\"name\": {{name}}}; strings get their quotes automatically"
      )
    }
    if isBroken {
      throw Refusal(
        .invalidJSONBlock, "a value in a JSON block is after invalid JSON",
        hint: "write static JSON with a whole value at each {{name}}: no comments, no trailing commas")
    }
    if takesValue {
      expect(.end)
      hasHole = true
      return .json
    }
    throw expects([.name, .firstName])
      ? Refusal(
        .invalidJSONBlock, "a value in a JSON block is where a member's name must be",
        hint: "names are static: {\"name\": {{name}}}")
      : Refusal(
        .invalidJSONBlock, "a value in a JSON block is next to another value",
        hint: "put a comma between them; in a list, {{#items}}{{.}}{{^@last}},{{/@last}}{{/items}}")
  }

  /// Where the place is inside a string; nil if it is between tokens.
  private var placeInString: String? {
    switch token {
    case .string(let isName), .escape(let isName), .unicode(let isName, _):
      isName ? "in a member's name" : "inside a string"
    case .none, .word: nil
    }
  }

  /// - Throws: if the block contains values or sections and is not valid JSON.
  mutating func finish() throws(Refusal) {
    endWord()
    if hasHole, isBroken || token != .none || !open.isEmpty || !expects([.end]) {
      throw Refusal(
        .invalidJSONBlock, "this block would not be valid JSON for all values",
        hint:
          "write static JSON with a whole value at each {{name}}: no comments, no trailing commas, and in lists "
          + "{{^@last}},{{/@last}}")
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    HTMLTokenizer.isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
  }

  /// `true`, `false`, `null`, or a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private static func isScalar(_ word: [UInt8]) -> Bool {
    if ["true", "false", "null"].contains(String(decoding: word, as: UTF8.self)) { return true }
    var rest = word[...]
    func digits() -> Int {
      let count = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    if count == 0 || (startsWithZero && count > 1) { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      if digits() == 0 { return false }
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}

/// Sections: what is expected after one that may not print, or print again.
extension JSONContext {
  /// What is expected, and what is known of the innermost list that the template goes through.
  fileprivate struct Case: Hashable {
    var expected: Expected
    /// Whether this is its first item, and its last one; nil if it may be either.
    var isFirst: Bool?
    var isLast: Bool?
  }

  /// A section that begins at a place of the JSON. A class, because the walk keeps one for each nested section on its
  /// stack.
  final class Section {
    private let before: JSONContext
    private let name: String
    private let isInverted: Bool
    /// At the start of its content, when it prints next.
    private(set) var start: JSONContext
    /// Behind the section.
    private(set) var after: JSONContext

    /// Whether its two ends are at different places.
    private(set) var isCrossed = false

    /// - Throws: if it begins inside a string.
    init(at place: JSONContext, of name: String, isInverted: Bool) throws(Refusal) {
      var before = place
      before.endWord()
      before.hasHole = true
      if let place = before.placeInString {
        throw Refusal(
          .invalidJSONBlock, "a section in a JSON block is \(place)",
          hint: "put whole values into it, or send the string as one value: {\"name\": {{name}}}")
      }
      self.before = before
      self.name = name
      self.isInverted = isInverted
      (start, after) = (before, before)
      if let condition {
        start.cases = before.cases(where: condition, is: !isInverted)
        after.cases = before.cases(where: condition, is: isInverted)
      } else if isLoop {
        start.cases = Set(before.cases.map { Case(expected: $0.expected, isFirst: true) })
      }
    }

    /// Whether it may print more than once.
    private var isLoop: Bool { !isInverted && (!name.hasPrefix("@") || isOfRow) }

    /// Whether it repeats over the row, or over a value in the row. No other name that begins with `@` can be a list.
    private var isOfRow: Bool { name == "@row" || name.hasPrefix("@row.") }

    private var condition: WritableKeyPath<Case, Bool?>? {
      switch name {
      case "@first": \.isFirst
      case "@last": \.isLast
      default: nil
      }
    }

    /// Adds what its content starts with in other passes.
    /// - Returns: false if that is at another place.
    func widen(by other: JSONContext) -> Bool {
      guard other.open == start.open, other.token == start.token else { return false }
      start.cases.formUnion(other.cases)
      start.isBroken = start.isBroken || other.isBroken
      return true
    }

    /// Notes what follows the section, and what its content starts with if it prints again.
    /// - Parameter end: at the end of its content.
    /// - Returns: false if the two ends of the section are at different places.
    func join(to end: JSONContext) -> Bool {
      var end = end
      end.endWord()
      isCrossed = end.token != .none || end.open != before.open
      if isCrossed { return false }
      if end.isBroken { (after.isBroken, start.isBroken) = (true, true) }
      let outer = before.commonCase
      for one in end.cases where !isLoop || one.isLast != false {
        after.cases.insert(
          isLoop ? Case(expected: one.expected, isFirst: outer?.isFirst, isLast: outer?.isLast) : one)
      }
      for one in end.cases where isLoop && one.isLast != true {
        start.cases.insert(Case(expected: one.expected, isFirst: false))
      }
      return true
    }
  }

  /// The cases in which a condition may be `value`.
  private func cases(where condition: WritableKeyPath<Case, Bool?>, is value: Bool) -> Set<Case> {
    var found: Set<Case> = []
    for var one in cases where one[keyPath: condition] != !value {
      one[keyPath: condition] = value
      found.insert(one)
    }
    return found
  }

  /// What all cases know of the list around.
  private var commonCase: Case? {
    guard let first = cases.first,
      cases.allSatisfy({ $0.isFirst == first.isFirst && $0.isLast == first.isLast })
    else { return nil }
    return first
  }
}
