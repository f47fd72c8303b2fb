extension SwiftTypes {
  /// What every written file begins with.
  static let opening = """

    /// Any JSON value.
    public enum JSONValue: Codable, Hashable, Sendable {
      case null
      case bool(Bool)
      case int(Int)
      case number(Double)
      case string(String)
      case list([JSONValue])
      case object([String: JSONValue])

      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          self = .null
        } else if let value = try? container.decode(Bool.self) {
          self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
          self = .int(value)
        } else if let value = try? container.decode(Double.self) {
          self = .number(value)
        } else if let value = try? container.decode(String.self) {
          self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
          self = .list(value)
        } else {
          self = .object(try container.decode([String: JSONValue].self))
        }
      }

      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
      }
    }

    extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
      ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
    {
      public init(stringLiteral value: String) { self = .string(value) }
      public init(integerLiteral value: Int) { self = .int(value) }
      public init(floatLiteral value: Double) { self = .number(value) }
      public init(booleanLiteral value: Bool) { self = .bool(value) }
      public init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
      public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
      }
    }

    /// A text, a number or a truth value.
    public enum Scalar: Codable, Hashable, Sendable {
      case string(String)
      case number(Double)
      case bool(Bool)

      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
          self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
          self = .number(value)
        } else {
          self = .string(try container.decode(String.self))
        }
      }

      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        }
      }
    }

    extension Scalar: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
      ExpressibleByBooleanLiteral
    {
      public init(stringLiteral value: String) { self = .string(value) }
      public init(integerLiteral value: Int) { self = .number(Double(value)) }
      public init(floatLiteral value: Double) { self = .number(value) }
      public init(booleanLiteral value: Bool) { self = .bool(value) }
    }

    /// A value inside one of its own type.
    public indirect enum Indirect<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
      case value(Value)

      public init(_ value: Value) { self = .value(value) }
      public init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
      public func encode(to encoder: any Encoder) throws {
        switch self {
        case .value(let value): try value.encode(to: encoder)
        }
      }
    }

    """
}
