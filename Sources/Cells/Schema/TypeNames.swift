/// Makes names of types: letters and digits, the first an uppercase letter, each once.
struct TypeNames {
  /// Names that languages, or the beginning of a written file, have taken.
  private static let taken: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Boolean", "Character", "Codable", "CodingKey", "CodingKeys", "Date",
    "Decodable",
    "Decoder",
    "DecodingError", "Dict", "Dictionary", "Double", "Encodable", "Encoder", "Error",
    "ExpressibleByArrayLiteral",
    "ExpressibleByBooleanLiteral", "ExpressibleByDictionaryLiteral", "ExpressibleByFloatLiteral",
    "ExpressibleByIntegerLiteral",
    "ExpressibleByStringLiteral", "False", "Float", "Function", "Hashable", "Indirect", "Int",
    "Kinds", "JSONValue",
    "List", "Literal",
    "Map", "Never", "None", "NotRequired", "Number", "Object", "OneOrMany", "Optional", "Partial", "Promise",
    "Protocol",
    "Readonly", "Record", "Required", "Result", "Scalar", "Self", "Sendable", "Set", "String", "Symbol",
    "True", "Type",
    "TypedDict", "Undefined", "Union", "Void",
  ]
  private static let limit = 80

  private var used = Self.taken
  private var numbers: [String: Int] = [:]

  /// A new name of words.
  mutating func name(_ words: String...) -> String {
    var name = ""
    for word in words { name += Self.joined(word) }
    if name.utf8.count > Self.limit { name = String(name.suffix(Self.limit)) }
    if !(name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false) {
      name = "Value" + name
    }
    if Self.taken.contains(name) { name += "Row" }
    let plain = name
    while !used.insert(name).inserted {
      let number = (numbers[plain] ?? 1) + 1
      numbers[plain] = number
      name = plain + "\(number)"
      // A number after a number would read as another.
      if plain.utf8.last.map({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) ?? false {
        name = plain + "_\(number)"
      }
    }
    return name
  }

  /// `shop/price-tag` as `ShopPriceTag`.
  private static func joined(_ word: String) -> String {
    var joined: [UInt8] = []
    var startsWord = true
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        joined.append(startsWord ? byte - 32 : byte)
        startsWord = false
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        joined.append(byte)
        startsWord = false
      default: startsWord = true
      }
    }
    return String(decoding: joined, as: UTF8.self)
  }
}
