import CellTemplates

/// Writes the types of one kind's rows in Swift: structures with the names as properties, and an enumeration for each value
/// that may be several things.
struct SwiftTypes {
  private let types: RowTypes
  /// The names that are taken in the file.
  private(set) var names: TypeNames
  /// The enumerations that the last declaration needs.
  private var unions: [Union] = []
  /// Whether a structure of this type would hold itself.
  private let isRecursive: [Bool]

  private struct Union {
    let name: String
    let cases: [Case]
  }

  /// One of the things that a value may be.
  private struct Case {
    let name: String
    let type: String
    /// What it conforms to, so that literals can be written.
    let literal: String?
  }

  init(_ types: RowTypes, _ names: TypeNames) {
    var types = types
    for position in types.objects.indices where Self.hasEqualNames(types.objects[position]) {
      types.objects[position].isOpen = true
    }
    self.types = types
    self.names = names
    isRecursive = Self.recursive(types)
  }

  /// Whether two names are one in Swift, to which an `é` is the same in either form: they cannot be two coding keys.
  private static func hasEqualNames(_ object: RowTypes.Object) -> Bool {
    Set(object.members.map(\.text)).count < object.members.count
  }

  mutating func alias(_ name: String, _ comment: String) -> String {
    let type = type(of: types.row, isOptional: false, in: nil) { $0.name(name, "value") }
    return "\n/// \(comment)\npublic typealias \(name) = \(type)\n" + takeUnions()
  }

  mutating func declaration(of object: RowTypes.Object, at position: Int, _ comment: String) -> String {
    if types.objects[position].isOpen {
      return "\n/// \(comment)\npublic typealias \(object.name) = [String: JSONValue]\n"
    }
    var members: [(name: String, type: String, member: RowTypes.Member)] = []
    for (name, member) in zip(SwiftNames.names(of: object.members), object.members) {
      let type = type(of: member.value, isOptional: !member.isRequired, in: position) {
        $0.name(object.name, member.text)
      }
      members.append((name, type, member))
    }
    var text = "\n/// \(comment)\npublic struct \(object.name): Codable, Hashable, Sendable {\n"
    for (name, type, member) in members {
      text += "  /// \(member.comment)\n  public var \(name): \(type)\n"
    }
    text += Self.initializer(of: members.map { ($0.name, $0.type) })
    if members.contains(where: { SwiftNames.plain($0.name) != $0.member.text }) {
      text += "\n  private enum CodingKeys: String, CodingKey {\n"
      for (name, _, member) in members { text += "    case \(name) = \(SwiftNames.quoted(member.text))\n" }
      text += "  }\n"
    }
    return text + "}\n" + takeUnions()
  }

  private static func initializer(of members: [(name: String, type: String)]) -> String {
    if members.isEmpty { return "  public init() {}\n" }
    let parameters = members.map { "\($0.name): \($0.type)\($0.type.hasSuffix("?") ? " = nil" : "")" }
    var text = "\n  public init(\n    \(parameters.joined(separator: ",\n    "))\n  ) {\n"
    for (name, _) in members { text += "    self.\(name) = \(name)\n" }
    return text + "  }\n"
  }

  // MARK: Types

  /// - Parameters:
  ///   - holder: the object whose member has the type, if any.
  ///   - name: makes the name of an enumeration.
  private mutating func type(
    of value: RowTypes.Value, isOptional: Bool, in holder: Int?, _ name: (inout TypeNames) -> String
  ) -> String {
    let mark = isOptional || value.scalars.contains(.null) ? "?" : ""
    if value.isAny { return "JSONValue" + mark }
    let cases = cases(of: value, name)
    if value.object == nil, value.list == nil, cases.map(\.name) == ["string", "number", "bool"] {
      return "Scalar" + mark
    }
    guard cases.count == 1 else {
      // Nothing but null, or several things.
      if cases.isEmpty { return "JSONValue?" }
      unions.append(Union(name: name(&names), cases: cases))
      return unions[unions.count - 1].name + mark
    }
    let holdsItself = value.object.map { holder != nil && isRecursive[$0] } ?? false
    return (holdsItself ? "Indirect<\(cases[0].type)>" : cases[0].type) + mark
  }

  private mutating func cases(of value: RowTypes.Value, _ name: (inout TypeNames) -> String) -> [Case] {
    var cases: [Case] = []
    if value.scalars.contains(.string) {
      cases.append(Case(name: "string", type: "String", literal: "String"))
    }
    if value.scalars.contains(.integer) { cases.append(Case(name: "int", type: "Int", literal: "Integer")) }
    if value.scalars.contains(.number) {
      cases.append(Case(name: "number", type: "Double", literal: "Float"))
    }
    if value.scalars.contains(.boolean) { cases.append(Case(name: "bool", type: "Bool", literal: "Boolean")) }
    if let object = value.object {
      cases.append(Case(name: "object", type: types.objects[object].name, literal: nil))
    }
    if let list = value.list {
      let item = type(of: types.lists[list], isOptional: false, in: nil) { names in
        let own = name(&names)
        return names.name(own, "item")
      }
      cases.append(Case(name: "list", type: "[\(item)]", literal: "Array"))
    }
    return cases
  }

  /// For each type of object, whether it is among its own members, or among those of its members.
  private static func recursive(_ types: RowTypes) -> [Bool] {
    let inside = types.objects.map { $0.isOpen ? [] : $0.members.compactMap(\.value.object) }
    return inside.indices.map { start in
      var seen: Set<Int> = []
      var waiting = inside[start]
      while let next = waiting.popLast() {
        if next == start { return true }
        if seen.insert(next).inserted { waiting += inside[next] }
      }
      return false
    }
  }

  // MARK: Enumerations

  private mutating func takeUnions() -> String {
    defer { unions = [] }
    return unions.map(Self.declaration).joined()
  }

  private static func declaration(of union: Union) -> String {
    let types = union.cases.map { $0.type.hasPrefix("[") ? "a list" : "`\($0.type)`" }
    var text = "\n/// \(types.joined(separator: ", or ")).\n"
    // Values may hold values of the same type.
    text += "public indirect enum \(union.name): Codable, Hashable, Sendable {\n"
    for item in union.cases { text += "  case \(item.name)(\(item.type))\n" }
    text += "\n  public init(from decoder: any Decoder) throws {\n"
    text += "    let container = try decoder.singleValueContainer()\n"
    for item in union.cases {
      text += "    if let value = try? container.decode(\(item.type).self) {\n"
      text += "      self = .\(item.name)(value)\n      return\n    }\n"
    }
    text +=
      "    throw DecodingError.dataCorruptedError(in: container, debugDescription: \"no \(union.name)\")\n  }\n"
    text += "\n  public func encode(to encoder: any Encoder) throws {\n"
    text += "    var container = encoder.singleValueContainer()\n    switch self {\n"
    for item in union.cases { text += "    case .\(item.name)(let value): try container.encode(value)\n" }
    text += "    }\n  }\n}\n"
    for item in union.cases { text += literal(item, of: union.name) }
    return text
  }

  private static func literal(_ item: Case, of union: String) -> String {
    switch item.literal {
    case nil: ""
    case "Array"?:
      "extension \(union): ExpressibleByArrayLiteral {\n"
        + "  public init(arrayLiteral elements: \(item.type.dropFirst().dropLast())...) { self = .list(elements) }\n}\n"
    case let literal?:
      "extension \(union): ExpressibleBy\(literal)Literal {\n"
        + "  public init(\(literal.lowercased())Literal value: \(item.type)) { self = .\(item.name)(value) }\n}\n"
    }
  }
}

/// Names of properties in Swift.
enum SwiftNames {
  /// Those that need quotes as names.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias",
    "var", "where", "while",
  ]
  /// Those that are something else even in quotes, or a part of what is written for each structure.
  private static let taken: Set<String> = [
    "init", "self", "Self", "Type", "Protocol", "CodingKeys", "encode", "hash", "hashValue", "encoder",
    "decoder",
  ]

  /// The names of members, each once.
  static func names(of members: [RowTypes.Member]) -> [String] {
    var used = taken
    // How often each plain name has been used: many names may become the same one.
    var counts: [String: Int] = [:]
    return members.map { member in
      var name = member.text
      if !member.isIdentifier {
        name = String(
          decoding: member.name.map { SchemaWriter.isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        if !(name.first?.isLetter ?? false) { name = "_" + name }
      }
      if name.allSatisfy({ $0 == "_" }) { name = "value" }
      if taken.contains(name) { name += "_" }
      let plain = name
      while !used.insert(name).inserted {
        let number = counts[plain, default: 1] + 1
        counts[plain] = number
        name = plain + "_\(number)"
      }
      return keywords.contains(name) ? "`\(name)`" : name
    }
  }

  /// A name without its quotes.
  static func plain(_ name: String) -> String { name.filter { $0 != "`" } }

  /// A text as a literal.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 32 || scalar.value == 127 || (0x2028...0x2029).contains(scalar.value):
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
