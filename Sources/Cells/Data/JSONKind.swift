/// The kind of a node of a ``JSONTape``. The raw values are those of `cf_node_kind`.
package enum JSONKind: UInt8, Sendable, CaseIterable {
  case null = 0
  case `false` = 1
  case `true` = 2
  case number = 3
  case string = 4
  case array = 5
  case object = 6
  /// A member's name; its value follows.
  case key = 7

  /// Whether it is an array or object.
  @inline(__always)
  var holdsValues: Bool { self == .array || self == .object }

  /// With its article, for messages.
  var phrase: String {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    case .number: "a number"
    case .string, .key: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Whether it is a number or string, which is printed with its text.
  @inline(__always)
  var isText: Bool { self == .number || self == .string }
}
