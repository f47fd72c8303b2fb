/// The state of the JSON in a data script: static JSON with holes for whole values.
///
/// Source: RFC 8259. Strict, because an error before or after a hole would change what the value means.
struct JSONContext: Hashable {
  private enum Expected {
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

  private var expected = Expected.value
  private var open: [UInt8] = []
  private var token = Token.none
  /// Whether there was a hole. JSON without holes is the author's responsibility and is not checked.
  private(set) var hasHole = false
  private(set) var isBroken = false

  mutating func feed(_ byte: UInt8) {
    if isBroken { return }
    switch token {
    case .none: begin(byte)
    case .string(let isName):
      if byte == UInt8(ascii: "\"") {
        token = .none
        expected = isName ? .colon : .end
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
        endWord(word)
        begin(byte)
      }
    }
  }

  private mutating func begin(_ byte: UInt8) {
    if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
    let takesValue = expected == .value || expected == .firstItem
    switch byte {
    case UInt8(ascii: "{") where takesValue:
      open.append(byte)
      expected = .firstName
    case UInt8(ascii: "[") where takesValue:
      open.append(byte)
      expected = .firstItem
    case UInt8(ascii: "\"") where takesValue: token = .string(isName: false)
    case UInt8(ascii: "\"") where expected == .firstName || expected == .name: token = .string(isName: true)
    case UInt8(ascii: ":") where expected == .colon: expected = .value
    case UInt8(ascii: ",") where expected == .end && !open.isEmpty:
      expected = open.last == UInt8(ascii: "{") ? .name : .value
    case UInt8(ascii: "}")
    where open.last == UInt8(ascii: "{") && (expected == .end || expected == .firstName),
      UInt8(ascii: "]") where open.last == UInt8(ascii: "[") && (expected == .end || expected == .firstItem):
      open.removeLast()
      expected = .end
    case _ where takesValue && Self.isWordByte(byte): token = .word([byte])
    default: isBroken = true
    }
  }

  private mutating func endWord(_ word: [UInt8]) {
    token = .none
    expected = .end
    if !Self.isScalar(word) { isBroken = true }
  }

  mutating func hole() throws(Refusal) -> Escaper {
    if case .word(let word) = token { endWord(word) }
    let place: String
    switch token {
    case .string(let isName), .escape(let isName), .unicode(let isName, _):
      place = isName ? "in a member's name" : "inside a string"
    case .none, .word:
      if isBroken {
        place = "after invalid JSON"
      } else if expected == .value || expected == .firstItem {
        expected = .end
        hasHole = true
        return .json
      } else {
        place = expected == .end ? "next to another value" : "where a member's name must be"
      }
    }
    throw Refusal(
      .invalidJSONBlock, "a value in a JSON block is \(place)",
      hint:
        "write a whole JSON value without quotes: {\"name\": {{name}}}; strings get their quotes automatically"
    )
  }

  /// - Throws: if the block contains values and is not valid JSON.
  mutating func finish() throws(Refusal) {
    if case .word(let word) = token { endWord(word) }
    if hasHole, isBroken || token != .none || !open.isEmpty || expected != .end {
      throw Refusal(
        .invalidJSONBlock, "this block would not be valid JSON for any values",
        hint: "write static JSON with a whole value at each {{name}}: no comments, no trailing commas")
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
